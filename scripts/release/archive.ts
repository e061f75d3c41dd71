import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { gzipSync } from "node:zlib";

/** The time that npm writes into packages too (1985-10-26 08:15 UTC): an archive is as old as any other. */
const TIME = "@499162500";

/** No archive comes near it. */
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Writes a folder as a file, and its SHA-256 beside it: the same content gives the same bytes, on any machine and for
 * any user. npm installs it too. Returns the hash.
 */
export function writeArchive(folder: string, file: string): string {
  const { status, stdout, stderr } = spawnSync(
    "tar",
    [
      ...["--create", "--format=ustar", "--sort=name", `--mtime=${TIME}`, "--mode=u=rwX,go=rX"],
      ...["--owner=0", "--group=0", "--numeric-owner", "--directory", dirname(folder), basename(folder)],
    ],
    { maxBuffer: MAX_BYTES, env: { ...process.env, LC_ALL: "C" } },
  );
  if (status !== 0) throw new Error(`tar failed (GNU tar is needed): ${stderr}`);
  const archive = gzipSync(stdout, { level: 9 });
  const hash = createHash("sha256").update(archive).digest("hex");
  writeFileSync(file, archive);
  writeFileSync(`${file}.sha256`, `${hash}  ${basename(file)}\n`);
  return hash;
}

/** Returns the size of a file in MB, for people. */
export function megabytesOf(file: string): string {
  return (readFileSync(file).length / 1e6).toFixed(1);
}
