import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const PROJECT = join(import.meta.dirname, "..", "..");

/** A release that this run has made. */
export interface BuiltRelease {
  /** The folder that a user unpacks. */
  readonly folder: string;
  readonly archive: string;
  readonly hash: string;
}

let built: BuiltRelease | undefined;

/** Makes the release, once for all tests. Any user may read it. */
export function buildRelease(): BuiltRelease {
  built ??= makeRelease(PROJECT);
  return built;
}

/** Makes a release of a copy of the project. */
export function makeRelease(project: string): BuiltRelease {
  const place = mkdtempSync(join(tmpdir(), "attune-release-"));
  process.on("exit", () => rmSync(place, { recursive: true, force: true }));
  execFileSync("chmod", ["755", place]);
  const output = execFileSync(process.execPath, [join(project, "scripts", "release", "release.ts"), place], {
    encoding: "utf8",
  });
  console.log(output.trim());
  const name = readdirSync(place).find((entry) => !entry.includes(".tgz")) ?? "";
  const hash = /SHA-256 ([0-9a-f]{64})/.exec(output)?.[1] ?? "";
  return { folder: join(place, name), archive: join(place, `${name}.tgz`), hash };
}
