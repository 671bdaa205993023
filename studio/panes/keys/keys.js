// What every page has: it hears the question mark wherever the keyboard is, puts the keyboard into a dialog's first field, knows which texts
// of the chosen world are not saved and what is wrong with them, and saves them when a build asks for it.

const LOOK_MS = 150;
const CHECK_MS = 500; // the editor has asked the same by then, and the answer is kept
const DIALOG_FIELDS = "input:not([type=hidden], [type=radio], [type=checkbox], :disabled), textarea:not(:disabled)";

// Streamlit gives a new dialog the keyboard itself, before anything is in it: its first field gets it as soon as that is there, unless
// somebody has gone elsewhere meanwhile.
class DialogFields {
  constructor() {
    this._comes = new MutationObserver((changes) => {
      const come = changes.flatMap((change) => [...change.addedNodes]).find((node) => node.dataset?.testid === "stDialog" || node.classList?.contains("stDialog"));
      if (come) this._enter(come);
    });
    this._comes.observe(document.body, { childList: true });
    this._fills = new MutationObserver(() => this._give());
  }

  _enter(dialog) {
    this._dialog = dialog;
    this._fills.disconnect();
    this._fills.observe(dialog, { childList: true, subtree: true });
    this._give();
  }

  _give() {
    const field = this._dialog.querySelector(DIALOG_FIELDS);
    const has = focusedNow();
    const isElsewhere = has && has.getAttribute("role") !== "dialog";
    if (!field && this._dialog.isConnected && !isElsewhere) return;
    this._fills.disconnect();
    if (!isElsewhere) field?.focus({ preventScroll: true });
  }

  stop() {
    this._comes.disconnect();
    this._fills.disconnect();
  }
}

// What each file of a world says that was typed and not saved.
const textsOf = (world) => Object.fromEntries(drafts.names(world).map((file) => [file, drafts.read(world, file)?.text ?? ""]));

// The fields of a world's forms that were refused, each with the page and the entry where its form is.
function refusedOf(world) {
  return fields.names(world).map((name) => [name, fields.read(world, name)]).filter(([, one]) => one?.wrong?.length).map(([name, { page, item }]) => {
    const [file, field] = name.split("#");
    return { said: `${field} in ${file}`, page, item };
  });
}

class Keys {
  constructor({ parentElement }) {
    parentElement.host.setAttribute("aria-keyshortcuts", "?"); // it hears from now on
    this._dialogFields = new DialogFields();
    this._found = null;
    this._checking = new Turn();
    this._told = JSON.stringify([[], [], null]);
    this._hear = (event) => {
      if (event.key !== "?" || event.ctrlKey || event.metaKey || isTyping(event)) return;
      event.preventDefault();
      this._trigger("asked", true);
    };
    this._lookSoon = later(LOOK_MS, () => this._look());
    this._checkSoon = later(CHECK_MS, () => this._check());
    document.addEventListener("keydown", this._hear, true);
    window.addEventListener("brownout-unsaved", this._lookSoon);
  }

  change({ data, setTriggerValue, setStateValue }) {
    Object.assign(this, { data, _trigger: setTriggerValue, _setState: setStateValue });
    this._look();
    if (data.save && data.save.rev !== this._rev) {
      this._rev = data.save.rev;
      this._save(data.save);
    }
    if (data.show && data.show !== this._shown) {
      this._shown = data.show;
      window.dispatchEvent(new CustomEvent("brownout-show-refused"));
    }
  }

  // What was typed is checked anew when it, or what is on disk beside it, has changed. What was found before is told until then.
  _look() {
    const { world, stamp } = this.data;
    const texts = textsOf(world);
    const typed = JSON.stringify([world, stamp, texts]);
    if (typed !== this._typed) {
      this._typed = typed;
      if (world !== this._world || !Object.keys(texts).length) this._found = null;
      if (Object.keys(texts).length) this._checkSoon();
    }
    this._tell();
  }

  async _check() {
    const { token, world } = this.data, typed = this._typed, texts = textsOf(world);
    if (!Object.keys(texts).length) return;
    try {
      const { problems } = await send(token, `author/${encodeURIComponent(world)}/check`, { rev: 0, texts }, { signal: this._checking.next() });
      if (typed !== this._typed) return;
      const wrong = problems.filter((one) => one.severity === "error");
      const first = wrong.find((one) => one.file in texts) ?? wrong[0];
      this._found = { count: wrong.length, first: first ? { file: first.file, line: first.line, message: first.message } : null };
      this._tell();
    } catch { /* the next keystroke asks again */ }
  }

  _tell() {
    const { world } = this.data;
    const found = world ? [drafts.names(world), refusedOf(world), this._found] : [[], [], null];
    const told = JSON.stringify(found);
    if (told === this._told && (!found[0].length && !found[1].length || world === this._world)) return;
    this._told = told;
    this._world = world;
    this._setState("unsaved", { world, files: found[0], fields: found[1], problems: found[2] });
  }

  // Writes every text as it was typed; what is refused stays where it is, with the reason.
  async _save({ rev, world, files }) {
    const refused = [];
    for (const file of files) {
      const draft = drafts.read(world, file);
      if (!draft) continue;
      try {
        await send(this.data.token, `author/${encodeURIComponent(world)}/save`, { file, text: draft.text, base: draft.base });
        drafts.forget(world, file);
      } catch (error) {
        refused.push({ file, why: error instanceof Changed ? "it was changed on disk meanwhile" : error.message });
      }
    }
    window.dispatchEvent(new CustomEvent("brownout-saved", { detail: world }));
    this._look();
    this._trigger("saved", { rev, refused });
  }

  stop() {
    this._dialogFields.stop();
    this._lookSoon.stop();
    this._checkSoon.stop();
    document.removeEventListener("keydown", this._hear, true);
    window.removeEventListener("brownout-unsaved", this._lookSoon);
  }
}

export default paneOf(Keys);
