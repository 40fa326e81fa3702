// The package as npm would install it: what it contains, its types, and the example of its README.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

// As a path, since other programs run in other folders.
const source = resolve(process.env.PAPAN_PACKAGE ?? "target/npm/papan");
const project = mkdtempSync(join(tmpdir(), "papan-package-"));
after(() => rmSync(project, { recursive: true, force: true }));

const run = (program, ...args) => {
  try {
    return execFileSync(program, args, { cwd: project, encoding: "utf8" });
  } catch (error) {
    throw new Error(`${program} ${args.join(" ")}\n${error.stdout}${error.stderr}`);
  }
};

writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }');
const [{ filename, files, size }] = JSON.parse(run("npm", "pack", source, "--json", "--ignore-scripts"));
const installed = join(project, "node_modules/papan");
mkdirSync(installed, { recursive: true });
run("tar", "-xzf", filename, "-C", installed, "--strip-components=1");

test("the package has all files that it names, and no others", () => {
  console.log(`${filename}: ${files.length} files, ${size} bytes`);
  const names = files.map(({ path }) => path);
  for (const name of ["README.md", "LICENSE-APACHE", "LICENSE-MIT", "package.json", "papan_bg.wasm", "papan.d.ts", "data/gomoku.weights", "data/othello.weights"]) {
    assert.ok(names.includes(name), `the package lacks ${name}`);
  }
  const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const targets = Object.values(exports).flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)));
  for (const target of targets.filter((target) => !target.includes("*"))) assert.ok(names.includes(target.slice(2)), `${target} is missing`);
  for (const name of readdirSync(join(source, "data"))) assert.ok(names.includes(`data/${name}`), `data/${name} is missing`);
  const allowed = /^(data\/[\w.-]+\.(weights|certificate)|[\w.]+\.(js|d\.ts|wasm)|README\.md|package\.json|LICENSE-(APACHE|MIT))$/;
  assert.deepEqual(names.filter((name) => !allowed.test(name)), []);
});

test("TypeScript accepts what the documentation promises, and refuses the rest", () => {
  const compiler = process.env.PAPAN_TSC;
  if (!compiler) throw new Error("PAPAN_TSC must name TypeScript's tsc; `cargo xtask wasm` sets it");
  const usage = join(dirname(fileURLToPath(import.meta.url)), "usage.ts");
  writeFileSync(join(project, "usage.ts"), readFileSync(usage));
  const compilerOptions = { noEmit: true, strict: true, skipLibCheck: false, module: "nodenext", target: "es2022", lib: ["es2022", "dom", "esnext.disposable"], types: [] };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["usage.ts"] }));
  run(process.execPath, compiler, "--project", "tsconfig.json");
});

test("the example of the README runs", () => {
  const [, example] = readFileSync(join(installed, "README.md"), "utf8").match(/```js\n(.*?)```/s);
  writeFileSync(join(project, "example.js"), `${example}\nconsole.log(JSON.stringify({ move, why, value }));\n`);
  const { move, why, value } = JSON.parse(run(process.execPath, "example.js").trim().split("\n").at(-1));
  assert.match(move, /^[a-h][1-8]$/);
  assert.ok(why.length > 20, why);
  assert.equal(value, 1);
});
