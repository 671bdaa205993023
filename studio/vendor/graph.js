// The layout of directed graphs.
export { Graph, layout } from "@dagrejs/dagre";
