import { endUserLines } from "../dashboard/features/end-users/end-user-lines.ts";
import type { ContentReader } from "../dashboard/features/history/content-reader.ts";
import type { EndUserPorts, ExportPage } from "../operations/handlers.ts";
import { readEndUser } from "../store/end-users/read-end-user.ts";

/** A page ends where it has so many bytes; an inference is not divided. */
const PAGE_BYTES = 1024 * 1024;

/** Creates the reader of all that is known of end users, in pages: each item is a line of an export. */
export function createEndUserPages(contents: ContentReader, pageBytes = PAGE_BYTES): EndUserPorts["readPage"] {
  return async (store, user, after): Promise<ExportPage> => {
    const stop = new AbortController();
    const items: string[] = [];
    let bytes = 0;
    let last = after;
    try {
      const parts = readEndUser(store, user, { signal: stop.signal, ...(after !== "" && { after }) });
      for await (const part of parts) {
        // What is said of an inference that came before is of its page, conversations too.
        if (part.kind === "inference") {
          if (bytes >= pageBytes && last !== "") return { items, next: last };
          last = part.inference.row.id;
        }
        const line = await getText(endUserLines(oneOf(part), contents));
        bytes += line.length;
        items.push(line);
      }
      return { items, next: "" };
    } finally {
      stop.abort();
    }
  };
}

async function* oneOf<T>(item: T): AsyncGenerator<T> {
  yield item;
}

async function getText(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(typeof piece === "string" ? Buffer.from(piece) : piece);
  return Buffer.concat(all).toString("utf8").trimEnd();
}
