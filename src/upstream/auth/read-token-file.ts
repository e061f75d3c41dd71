import { readFile, stat } from "node:fs/promises";
import { ErrorReason, InferenceError } from "../../hub/error.ts";

/** Most bytes of a file of credentials. */
const MOST_BYTES = 64 * 1024;

/** Reads a token or a key that the platform writes anew from time to time. Throws UPSTREAM_MISCONFIGURED. */
export async function readTokenFile(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > MOST_BYTES) throw Object.assign(new Error("the file is too large"), { code: "larger than 64 KiB" });
    return (await readFile(file, "utf8")).trim();
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "an error";
    const message = `the file of the upstream's credentials, '${file}', cannot be read (${code})`;
    throw new InferenceError(ErrorReason.UPSTREAM_MISCONFIGURED, message, { cause: thrown });
  }
}
