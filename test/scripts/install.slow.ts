import { spawnSync } from "node:child_process";
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const SCRIPTS = join(import.meta.dirname, "..", "..", "scripts");
const COPIED = ["runtime.mjs", "exec-node.mjs", "serving-options.mjs", "bundle"];

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "attune-install-"));
  for (const name of COPIED) cpSync(join(SCRIPTS, name), join(root, "scripts", name), { recursive: true });
  const packages = { name: "root", version: "1.0.0", dependencies: { served: "file:served-1.0.0.tgz" } };
  write("package.json", { ...packages, devDependencies: { tested: "file:tested-1.0.0.tgz" } });
  for (const name of ["served", "tested"]) {
    write(`${name}/package.json`, { name, version: "1.0.0" });
    npm("pack", `./${name}`);
  }
  npm("install", "--package-lock-only");
});
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, content: object): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), JSON.stringify(content));
}

function npm(...args: string[]): void {
  const { status, stderr } = spawnSync("npm", [...args, "--offline", "--no-audit", "--no-fund"], {
    cwd: root,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
}

/** Has what `npm run` calls install what is missing; returns what it says. */
function ensureInstalled(dev: boolean): string {
  const code = `import { ensureInstalled } from "./scripts/runtime.mjs"; await ensureInstalled({ dev: ${dev} });`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, npm_config_offline: "true" },
  });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  return stderr;
}

/** What a service that runs has loaded: the same files, which were not made anew. */
function installed() {
  const { ino, ctimeMs } = lstatSync(join(root, "node_modules", "served"));
  return { ino, ctimeMs, inode: lstatSync(join(root, "node_modules")).ino };
}

it("leaves a running service's packages alone where those of development are added", () => {
  expect(ensureInstalled(false)).toContain("npm ci --omit=dev");
  expect(existsSync(join(root, "node_modules", "tested"))).toBe(false);
  const before = installed();
  expect(ensureInstalled(true)).toContain("npm install --no-save");
  expect(existsSync(join(root, "node_modules", "tested"))).toBe(true);
  expect(installed()).toEqual(before);
  // All is there now: nothing is asked of npm.
  expect([ensureInstalled(true), ensureInstalled(false)]).toEqual(["", ""]);
});
