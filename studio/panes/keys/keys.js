// Hears the question mark wherever the page has the keyboard, and asks for the list of keys.

class Keys {
  constructor() {
    this._hear = (event) => {
      if (event.key !== "?" || event.ctrlKey || event.metaKey || isTyping(event)) return;
      event.preventDefault();
      this._tell("asked", true);
    };
    document.addEventListener("keydown", this._hear, true);
  }

  change({ setTriggerValue }) { this._tell = setTriggerValue; }

  stop() { document.removeEventListener("keydown", this._hear, true); }
}

export default paneOf(Keys);
