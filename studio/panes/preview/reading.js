// One thing, whole: an issue, a mail, a thread, a pull request, a document.

class ReadingPane {
  constructor({ open, clock, names, marks, close }) {
    Object.assign(this, { _open: open, _clock: clock, _names: names, _marks: marks });
    this._close = h("button", { type: "button", class: "icon-button close", "aria-label": "Close", onclick: close }, icon("close"));
    this.node = h("section", { class: "reading", "aria-label": "Reading pane", tabindex: "-1" });
    this.clear();
  }

  clear() {
    this.shown = "";
    this.node.replaceChildren();
  }

  wait() {
    if (!this.shown) this.node.replaceChildren(skeleton(4));
    this.node.classList.add("waiting");
  }

  fail(error) {
    this.node.classList.remove("waiting");
    this.shown = "";
    this.node.replaceChildren(this._close, problem(error));
  }

  // It is not written at the moment that is shown.
  tellAhead({ title, written }, go) {
    this.node.classList.remove("waiting");
    this.shown = "";
    this.node.replaceChildren(this._close, h("div", { class: "nothing", role: "status" }, icon("schedule"), h("strong", {}, "Not written yet at this time"), h("span", {}, `“${title}” was written on ${this._clock().full(written)}.`), h("button", { type: "button", class: "quiet", onclick: go }, "Go to that moment")));
  }

  show(reading) {
    this.node.classList.remove("waiting");
    const top = reading.id === this.shown ? this.node.scrollTop : 0;
    this.shown = reading.id;
    const mark = this._marks(reading.path);
    this._names().here = reading.id;
    this.node.replaceChildren(
      this._close,
      h("header", {},
        reading.kicker && h("div", { class: "kicker" }, reading.kicker),
        h("h3", {}, reading.title),
        h("div", { class: "tags" }, reading.tags.map(tag), mark && h("span", { class: `tag ${mark.tone}` }, mark.title))),
      reading.fields.length ? h("dl", { class: "fields" }, reading.fields.map((field) => h("div", {}, h("dt", {}, field.name), h("dd", {}, ...inline(field.value, this._names(), this._open))))) : "",
      ...reading.blocks.map((block) => this._block(block)));
    this._names().here = "";
    this.node.scrollTop = top;
    if (this._isFollowed && !focusedNow()) this.node.focus({ preventScroll: true }); // the link that led here is gone
    this._isFollowed = false;
  }

  // What is shown next was gone to from here.
  follow() { this._isFollowed = focusedNow() && this.node.contains(focusedNow()); }

  _say(text) { return prose(text, this._names(), this._open); }

  _block(block) {
    return h("div", { class: "block" },
      block.title && h("h5", {}, block.title),
      block.text && this._say(block.text),
      block.code && h("pre", { tabindex: "0" }, block.code),
      block.cards.length ? h("ul", { class: "cards" }, block.cards.map((card) => this._card(card))) : "",
      block.entries.map((entry) => this._entry(entry)),
      block.links.length ? h("ul", { class: "links" }, block.links.map((link) => this._link(link))) : "",
      block.changes.length ? h("ul", { class: "changes" }, block.changes.map((change) => this._change(change))) : "",
      block.files.map((file) => fileChange(file)));
  }

  _card(card) {
    const face = card.icon ? h("span", { class: "avatar small nobody" }, icon(card.icon)) : avatar(card.title, "small");
    return h("li", { class: card.is_past ? "past" : "" }, face,
      h("div", { class: "words" },
        h("div", { class: "top" },
          h("div", {}, h("b", {}, card.title), card.about && h("span", { class: "about" }, card.about)),
          h("div", { class: "tags" }, card.tags.map(tag))),
        card.fields.length ? h("dl", {}, card.fields.map((field) => h("div", {}, h("dt", {}, field.name), h("dd", {}, field.value)))) : "",
        card.text && this._say(card.text), card.note && h("p", { class: "about" }, card.note)));
  }

  _entry(entry) {
    const mark = this._marks(entry.path);
    return h("article", { class: "entry" }, avatar(entry.who, "small"),
      h("div", { class: "words" },
        h("div", { class: "top" }, h("b", {}, entry.who), entry.about && h("span", { class: "about" }, entry.about), h("time", {}, this._clock().short(entry.at))),
        this._say(entry.text),
        (mark || entry.tags.length > 0) && h("div", { class: "below" }, mark && h("span", { class: `tag ${mark.tone}`, title: mark.title }, mark.label), entry.tags.map(tag))));
  }

  _link(link) {
    const go = (event) => { event.preventDefault(); this._open({ surface: link.surface, item: link.item }); };
    return h("li", {}, h("span", { class: "word" }, link.word), h("a", { href: "#", class: "link", onclick: go }, link.label), h("span", { class: "what" }, link.text), link.tags.map(tag));
  }

  _change(change) {
    return h("li", {}, h("b", {}, change.who), h("span", { class: "word" }, ` ${change.what} `), change.old && h("del", {}, change.old), change.old && h("span", { class: "word" }, " → "), h("ins", {}, change.new || "none"), h("time", {}, this._clock().short(change.at)));
  }
}

function fileChange(file) {
  const lines = file.patch.split("\n").map((line) => {
    const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : line.startsWith("@@") ? "hunk" : "";
    return h("span", { class: kind }, `${line}\n`);
  });
  return h("details", { class: "file", open: file.patch.length < 6000 },
    h("summary", {}, h("code", {}, file.name), h("span", { class: "plus" }, `+${file.added}`), h("span", { class: "minus" }, `−${file.removed}`)),
    file.patch && h("pre", { class: "patch", tabindex: "0" }, lines));
}
