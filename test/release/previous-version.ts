import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT } from "./built-release.ts";

/** The version that is upgraded from. */
export interface PreviousVersion {
  readonly ref: string;
  /** The file that runs it. */
  readonly program: string;
  /** Deletes its folder. */
  remove(): void;
}

const git = (...args: readonly string[]) => spawnSync("git", [...args], { cwd: PROJECT, encoding: "utf8" });

/**
 * Returns what names the version before this one: ATTUNE_PREVIOUS, or else the newest tag that this one comes from.
 * Undefined where there is none, as in a clone without tags.
 */
export function findPreviousRef(): string | undefined {
  const named = process.env["ATTUNE_PREVIOUS"];
  if (named !== undefined && named !== "") return named;
  const { status, stdout } = git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*");
  return status === 0 ? stdout.trim() : undefined;
}

/** Takes a version out of git, and builds its server. */
export async function buildVersion(ref: string): Promise<PreviousVersion> {
  const place = mkdtempSync(join(tmpdir(), "attune-version-"));
  const archive = execFileSync("git", ["archive", "--format=tar", ref], { cwd: PROJECT, maxBuffer: 1e9 });
  execFileSync("tar", ["--extract", "--directory", place], { input: archive });
  installPackages(place);
  execFileSync(process.execPath, [join(place, "scripts", "bundle", "build.ts")], { cwd: place, stdio: "pipe" });
  const { findBundle } = (await import(join(place, "scripts", "bundle", "find-bundle.mjs"))) as {
    findBundle: (root: string) => string | undefined;
  };
  const bundle = findBundle(place);
  if (bundle === undefined) throw new Error(`${ref} could not be built`);
  const commit = git("rev-parse", "--short", ref).stdout.trim();
  return {
    ref: `${ref} (${commit})`,
    program: join(bundle, "cli.js"),
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

/** Gives a version the packages of this one where its lock file is the same, else its own. */
function installPackages(place: string): void {
  const lockOf = (folder: string) => readFileSync(join(folder, "package-lock.json"), "utf8");
  const own = join(PROJECT, "node_modules");
  if (existsSync(own) && lockOf(place) === lockOf(PROJECT)) symlinkSync(own, join(place, "node_modules"));
  else execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: place, stdio: "pipe" });
}
