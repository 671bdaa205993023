// What every page has: it hears the question mark wherever the keyboard is, knows which texts of the chosen world are not saved, and
// saves them when a build asks for it.

const LOOK_MS = 150;
const NONE = JSON.stringify([[], []]);

class Keys {
  constructor() {
    this._fields = [];
    this._told = NONE;
    this._hear = (event) => {
      if (event.key !== "?" || event.ctrlKey || event.metaKey || isTyping(event)) return;
      event.preventDefault();
      this._trigger("asked", true);
    };
    this._lookSoon = later(LOOK_MS, () => this._look());
    this._unsaved = ({ detail }) => { if (detail) this._fields = detail; this._lookSoon(); };
    document.addEventListener("keydown", this._hear, true);
    window.addEventListener("brownout-unsaved", this._unsaved);
  }

  change({ data, setTriggerValue, setStateValue }) {
    Object.assign(this, { data, _trigger: setTriggerValue, _setState: setStateValue });
    this._look();
    if (data.save && data.save.rev !== this._rev) {
      this._rev = data.save.rev;
      this._save(data.save);
    }
  }

  _look() {
    const { world } = this.data;
    const found = world ? [drafts.files(world), this._fields] : [[], []];
    const told = JSON.stringify(found);
    if (told === this._told && (told === NONE || world === this._world)) return;
    this._told = told;
    this._world = world;
    this._setState("unsaved", { world, files: found[0], fields: found[1] });
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
    this._lookSoon.stop();
    document.removeEventListener("keydown", this._hear, true);
    window.removeEventListener("brownout-unsaved", this._unsaved);
  }
}

export default paneOf(Keys);
