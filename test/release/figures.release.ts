import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { buildRelease } from "./built-release.ts";
import { buildRoot, CAN_BUILD_ROOT } from "./built-root.ts";
import { copyProject } from "./copy-project.ts";
import { addFigure, isQuiet, printFigures } from "./figures.ts";
import { KEY, type ServedRelease, serveRelease } from "./serve-release.ts";

const ARCHIVE_MB = 25;
/** Of the image as a registry has it, compressed. */
const IMAGE_MB = 160;
const INSTALL_MB = 200;
const INSTALL_S = 25;
const NPX_S = 5;
/** On a busy machine a start takes a minute, and an installation minutes: the figure is to be seen all the same. */
const LIMIT_MS = 280_000;
const INSTALL_LIMIT_MS = 570_000;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "attune-figures-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  printFigures();
});

/** The environment of a machine that has Node 24 and nothing of this project. */
function environmentOf(name: string, port: number): NodeJS.ProcessEnv {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  if (!existsSync(join(bin, "node"))) symlinkSync(process.execPath, join(bin, "node"));
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  return {
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    ATTUNE_PORT: String(port),
    ATTUNE_BOOTSTRAP_KEY: KEY,
    ATTUNE_DATABASE_URL: `sqlite:${join(home, "attune.db")}`,
  };
}

/** Returns the megabytes of disk that folders take. */
function megabytesOf(...folders: readonly string[]): number {
  const lines = execFileSync("du", ["-scm", ...folders], { encoding: "utf8" })
    .trim()
    .split("\n");
  return Number(lines.at(-1)?.split("\t")[0]);
}

function compressedMegabytes(...tar: readonly string[]): number {
  const bytes = execFileSync("bash", ["-o", "pipefail", "-c", 'tar -c "$@" | gzip -6 | wc -c', "tar", ...tar]);
  return Number(bytes.toString()) / 1e6;
}

it("has a small archive", () => {
  const { archive, folder: release } = buildRelease();
  const value = statSync(archive).size / 1e6;
  addFigure("archive", "MB", { value, limit: ARCHIVE_MB });
  addFigure("its folder", "MB", { value: megabytesOf(release) });
  expect(value).toBeLessThan(ARCHIVE_MB);
});

it.skipIf(!CAN_BUILD_ROOT)("has a small image (needs root, unshare and apt-get)", () => {
  const root = buildRoot();
  const value = compressedMegabytes("-C", root, ".");
  addFigure("image, compressed", "MB", { value, limit: IMAGE_MB });
  addFigure("of it: Node", "MB", { value: compressedMegabytes("-C", root, "usr/local") });
  addFigure("of it: the release", "MB", { value: compressedMegabytes("-C", root, "opt") });
  addFigure("of it: packages of Debian", "MB", {
    value: compressedMegabytes("-C", root, "--exclude=./usr/local", "--exclude=./opt", "."),
  });
  expect(value).toBeLessThan(IMAGE_MB);
});

it("starts by npx from the archive alone, in a few seconds where the machine does nothing else", async () => {
  const port = await freePort();
  const command = ["npx", "--yes", "--offline", "--package", buildRelease().archive, "attune", "serve"];
  const served = await serveRelease(command, { port, cwd: folder, env: environmentOf("npx", port), limitMs: LIMIT_MS });
  const value = served.startMs / 1000;
  addFigure("npx attune serve, empty cache, to ready", "s", { value, limit: NPX_S });
  await served.stop();
  if (isQuiet()) expect(value).toBeLessThan(NPX_S);
});

/** Returns the milliseconds of a call that is answered by the sandbox. */
async function timeCall(port: number): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "attune/gpt-6-astra", messages: [{ role: "user", content: "Hello" }] }),
  });
  expect([answer.status, await answer.json()]).toMatchObject([200, { choices: [{ finish_reason: "stop" }] }]);
  return performance.now() - began;
}

async function addStart(name: string, served: ServedRelease, port: number): Promise<void> {
  addFigure(`${name} start, to ready`, "s", { value: served.startMs / 1000 });
  addFigure(`first answer after a ${name} start`, "ms", { value: await timeCall(port) });
  addFigure(`second answer after a ${name} start`, "ms", { value: await timeCall(port) });
  await served.stop();
}

it("answers its first call after a start", async () => {
  const command = [process.execPath, join(buildRelease().folder, "bin", "attune.mjs"), "serve"];
  // The second start finds the database, and what Node has made of each file.
  for (const name of ["cold", "warm"]) {
    const port = await freePort();
    const env = { ...environmentOf("start", port), NODE_COMPILE_CACHE: join(folder, "start", "cache") };
    await addStart(name, await serveRelease(command, { port, cwd: folder, env, limitMs: LIMIT_MS }), port);
  }
});

it("is installed by npm start in a fresh clone, from an empty cache", async () => {
  const clone = join(folder, "clone");
  copyProject(clone);
  const port = await freePort();
  const { PATH, HOME, ...own } = environmentOf("install", port);
  // npm is set up as on this machine: registry, proxy, certificates.
  const env = { ...process.env, NODE_ENV: undefined, ...own, npm_config_cache: join(folder, "npm-cache") };
  const served = await serveRelease(["npm", "start"], { port, cwd: clone, env, limitMs: INSTALL_LIMIT_MS });
  const [, seconds] = /^Installed \((\d+) s\)/m.exec(served.printed()) ?? [];
  const value = served.startMs / 1000;
  const modules = join(clone, "node_modules");
  const node = join(modules, `node-${process.platform}-${process.arch}`);
  const size = megabytesOf(modules) - (existsSync(node) ? megabytesOf(node) : 0);
  addFigure("packages of npm start, beside Node", "MB", { value: size, limit: INSTALL_MB });
  addFigure("npm start in a fresh clone, to ready", "s", { value, limit: INSTALL_S });
  addFigure("of it: npm ci", "s", { value: Number(seconds) });
  await served.stop();
  if (isQuiet()) expect(value).toBeLessThan(INSTALL_S);
}, 600_000);
