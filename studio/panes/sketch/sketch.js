// A company before it is written: its org chart or its calendar, which follow the questions beside it as they are answered.

const TYPED_MS = 600, SHOWN_MS = 150;

class Sketch {
  constructor(component) {
    this._place = h("div", { class: "card sketch-body" }, skeleton(5));
    this._drawing = h("div", { class: "drawing", role: "status" });
    this.node = h("div", { class: "pane sketch" }, this._place, this._drawing);
    component.parentElement.append(this.node);
    this._saySoon = later(SHOWN_MS, () => { this._drawing.textContent = "Drawing this company…"; });
    this._takeSoon = later(TYPED_MS, (field) => this._take(field));
    this._typed = (event) => this._follow(event.target);
    this._listen();
  }

  _follow(field) {
    if (field?.matches?.(".st-key-questions input[type=number]")) this._takeSoon(field);
  }

  // A number tells of itself only when it is left or Enter is pressed: who types one sees what it gives all the same.
  _take(field) {
    if (field.isConnected && field.value && field.checkValidity()) field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", keyCode: 13, bubbles: true }));
  }

  _listen() {
    document.addEventListener("input", this._typed, true);
    this._follow(document.activeElement); // somebody may have typed before this was here
    const app = document.querySelector("[data-testid=stApp]");
    this._watch = new MutationObserver(() => this._say(app.dataset.testScriptState !== "notRunning"));
    if (app) this._watch.observe(app, { attributeFilter: ["data-test-script-state"] });
  }

  _say(isDrawing) {
    if (isDrawing) return this._saySoon();
    this._saySoon.stop();
    this._drawing.textContent = "";
    return undefined;
  }

  stop() {
    document.removeEventListener("input", this._typed, true);
    this._watch.disconnect();
    this._takeSoon.stop();
    this._say(false);
    this._timeline?.stop();
    this._graph?.stop();
  }

  async change({ data }) {
    if (data.rev === this._rev) return;
    this._rev = data.rev;
    if (data.show === "people") {
      this._layout ??= await import(new URL(data.graph, document.baseURI));
      if (data.rev !== this._rev) return;
      this._graph ??= new GraphView({ layout: this._layout, choose: () => {}, direction: "LR", label: "Org chart" });
      this._place.replaceChildren(this._graph.node);
      this._graph.show({ nodes: data.nodes, edges: data.edges });
      return;
    }
    this._timeline ??= new TimeLine({ choose: () => {}, move: async () => false });
    this._place.replaceChildren(this._timeline.node);
    this._timeline.show({ ...data.calendar, canChange: false });
  }
}

export default paneOf(Sketch);
