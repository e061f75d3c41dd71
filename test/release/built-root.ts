import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildRelease } from "./built-release.ts";

export const CAN_BUILD_ROOT =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "true"]).status === 0 &&
  spawnSync("apt-get", ["--version"]).status === 0;

let built: string | undefined;

/** Builds the root file system of the image, once for all tests, and returns its folder. */
export function buildRoot(): string {
  built ??= makeRoot();
  return built;
}

function makeRoot(): string {
  const folder = mkdtempSync(join(tmpdir(), "attune-root-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "root");
  execFileSync("chmod", ["755", folder]);
  const builder = join(import.meta.dirname, "build-root.sh");
  execFileSync("bash", [builder, root, buildRelease().folder, process.execPath], { stdio: "inherit" });
  return root;
}
