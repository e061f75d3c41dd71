/** The time limit of a question: a server of this host answers at once. */
const LIMIT_MS = 1000;
/** Most bytes of an answer that is read. */
const MOST_BYTES = 4 * 2 ** 20;

/** Asks a server for JSON; undefined if nothing, or something else, answers. With `body` it is a POST. */
export async function askServer(url: string, body?: object): Promise<unknown> {
  try {
    const response = await fetch(url, {
      redirect: "error",
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(body !== undefined && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    const text = await readBounded(response);
    return response.ok ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

async function readBounded({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new Error("the answer is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Reads a member of an answer by its path; undefined if there is none. */
export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const step of path) found = typeof found === "object" && found !== null ? Reflect.get(found, step) : undefined;
  return found;
}

/** Reads a list of an answer; an empty one if there is none. */
export function listOf(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = memberOf(value, ...path);
  return Array.isArray(list) ? list : [];
}
