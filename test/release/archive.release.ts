import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildRelease, makeRelease, PROJECT } from "./built-release.ts";
import { copyProject } from "./copy-project.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "attune-archive-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

it("has the same hash when another folder makes it", () => {
  const copy = join(folder, "a-copy-elsewhere");
  copyProject(copy);
  // Hard links, since a link to the folder would give the packages the same paths in both.
  execFileSync("cp", ["--archive", "--link", join(PROJECT, "node_modules"), join(copy, "node_modules")]);
  expect(makeRelease(copy).hash).toBe(buildRelease().hash);
});

it("lists what it has of others", () => {
  const { folder: release } = buildRelease();
  const { components } = JSON.parse(readFileSync(join(release, "sbom.cdx.json"), "utf8")) as { components: object[] };
  expect(components.length).toBeGreaterThan(50);
  expect(components.filter((component) => !("hashes" in component))).toEqual([]);
  const licences = readFileSync(join(release, "THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const name of ["fastify", "react", "@tabler/icons-react", "@mikro-orm/core", "Inter"])
    expect(licences).toContain(`\n${name} `);
  expect(existsSync(join(release, "node_modules"))).toBe(false);
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
