import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { buildRelease, makeRelease, PROJECT } from "./built-release.ts";
import { KEY, serveRelease } from "./serve-release.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "attune-archive-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The environment of a machine that has Node 24 and nothing of this project. */
function environmentOf(port: number): NodeJS.ProcessEnv {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  if (!existsSync(join(bin, "node"))) symlinkSync(process.execPath, join(bin, "node"));
  return {
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    HOME: folder,
    ATTUNE_PORT: String(port),
    ATTUNE_BOOTSTRAP_KEY: KEY,
    ATTUNE_DATABASE_URL: `sqlite:${join(folder, `${port}.db`)}`,
  };
}

it("has the same hash when another folder makes it", () => {
  const copy = join(folder, "a-copy-elsewhere");
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: PROJECT });
  for (const file of files.toString().trim().split("\n")) {
    if (!existsSync(join(PROJECT, file))) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(PROJECT, file), join(copy, file));
  }
  // Hard links, since a link to the folder would give the packages the same paths in both.
  execFileSync("cp", ["--archive", "--link", join(PROJECT, "node_modules"), join(copy, "node_modules")]);
  expect(makeRelease(copy).hash).toBe(buildRelease().hash);
});

it("is small, and lists what it has of others", () => {
  const { archive, folder: release } = buildRelease();
  console.log(`folder: ${execFileSync("du", ["-sm", release]).toString().split("\t")[0]} MB`);
  expect(statSync(archive).size).toBeLessThan(25e6);
  const { components } = JSON.parse(readFileSync(join(release, "sbom.cdx.json"), "utf8")) as { components: object[] };
  expect(components.length).toBeGreaterThan(50);
  const licences = readFileSync(join(release, "THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const name of ["fastify", "react", "@tabler/icons-react", "@mikro-orm/core"])
    expect(licences).toContain(`\n${name} `);
  expect(existsSync(join(release, "node_modules"))).toBe(false);
});

/** Of a machine that does nothing else. */
const START_MS = 5000;
const isQuiet = (): boolean => (loadavg()[0] ?? 0) < availableParallelism();

it("starts within five seconds by npx, from the archive alone, where the machine does nothing else", async () => {
  const port = await freePort();
  const { archive } = buildRelease();
  const options = { port, cwd: folder, env: environmentOf(port) };
  const served = await serveRelease(["npx", "--yes", "--offline", "--package", archive, "attune", "serve"], options);
  const load = loadavg()[0]?.toFixed(1);
  console.log(
    `npx attune serve, from an empty cache to the first answer: ${(served.startMs / 1000).toFixed(1)} s (load ${load})`,
  );
  await served.stop();
  if (isQuiet()) expect(served.startMs).toBeLessThan(START_MS);
});

it("says on an older Node that it needs a newer one", () => {
  const starter = readFileSync(join(buildRelease().folder, "bin", "attune.mjs"), "utf8");
  const old = `Object.defineProperty(process.versions, "node", { value: "20.1.0" });`;
  const place = join(folder, "old");
  cpSync(join(buildRelease().folder, "bin"), place, { recursive: true });
  expect(starter).toContain("process.versions.node");
  const command = [`--import=data:text/javascript,${encodeURIComponent(old)}`, join(place, "attune.mjs"), "--help"];
  expect(() => execFileSync(process.execPath, command, { stdio: "pipe" })).toThrow("Attune runs on Node 24 or newer");
});
