import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { PROJECT } from "./built-release.ts";

/** Copies what a clone would have, with changes that are not committed yet. */
export function copyProject(copy: string): void {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: PROJECT });
  for (const file of files.toString().trim().split("\n")) {
    if (!existsSync(join(PROJECT, file))) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(PROJECT, file), join(copy, file));
  }
}
