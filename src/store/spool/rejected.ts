import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { encodeFrame } from "./frame.ts";

/** Keeps what the database refuses: beside the folders of the processes, so that nothing deletes it. */
const FILE = "rejected.spool";

/** Appends a payload to the file of those that were put aside; returns its path. Throws what the system says. */
export function putAside(folder: string, payload: Uint8Array): string {
  const file = join(dirname(folder), FILE);
  appendFileSync(file, Buffer.concat(encodeFrame([payload])));
  return file;
}
