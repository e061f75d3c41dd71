import { appendFileSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { encodeFrame } from "./frame.ts";

/** The file of a process's records that the database refused, beside the spool folders: rejected-ID.spool. */
const REJECTED = /^rejected-([0-9a-f-]{36})\.spool$/;

/** A file of entries that were put aside. */
interface RejectedFile {
  readonly file: string;
  /** Folder of the process that did so: it is there as long as that process may go on. */
  readonly folder: string;
}

/**
 * Appends a payload to the file of those that the process of `folder` put aside; returns its path. Throws what the
 * system says.
 */
export function putAside(folder: string, payload: Uint8Array): string {
  const file = join(dirname(folder), `rejected-${basename(folder)}.spool`);
  appendFileSync(file, encodeFrame([payload]), { flush: true });
  return file;
}

/** Returns the files of entries that were put aside, the oldest process first. */
export function rejectedFiles(root: string): RejectedFile[] {
  return readdirSync(root)
    .sort()
    .flatMap((name) => {
      const owner = REJECTED.exec(name)?.[1];
      return owner === undefined ? [] : [{ file: join(root, name), folder: join(root, owner) }];
    });
}
