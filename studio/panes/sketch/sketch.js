// A company before it is written: its org chart or its calendar.

class Sketch {
  constructor(component) {
    this._place = h("div", { class: "card sketch-body" }, skeleton(5));
    this.node = h("div", { class: "pane sketch" }, this._place);
    component.parentElement.append(this.node);
  }

  stop() { this._timeline?.stop(); this._graph?.stop(); }

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
