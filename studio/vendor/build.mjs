// Bundles what package.json pins: dist/editor.js, dist/graph.js and dist/LICENSES.txt. Run by `make vendor`.
import { build } from "esbuild";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const made = await build({
  entryPoints: ["editor.js", "graph.js"], outdir: "dist", bundle: true, format: "esm", minify: true, target: "es2022",
  legalComments: "none", charset: "utf8", metafile: true,
});
const packages = new Set();
for (const file of Object.keys(made.metafile.inputs)) {
  const found = file.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//);
  if (found) packages.add(found[1]);
}
const parts = [...packages].sort().map((name) => {
  const folder = `node_modules/${name}`;
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file && existsSync(`${folder}/${file}`) ? readFileSync(`${folder}/${file}`, "utf8").trim() : license;
  return `${name} ${version} (${license})\n\n${text}\n`;
});
writeFileSync("dist/LICENSES.txt", parts.join(`\n${"-".repeat(80)}\n\n`));
