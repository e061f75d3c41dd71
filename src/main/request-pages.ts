import type { ContentReader } from "../dashboard/features/history/content-reader.ts";
import { exportLine } from "../dashboard/features/history/export-line.ts";
import { exportTable } from "../dashboard/features/history/export-table.ts";
import type { ReadRequestPage } from "../operations/handlers.ts";
import { createStoreReads } from "../store/dashboard/reads/reads.ts";
import { createRequestExports, type ExportQuery, type RequestExports } from "../store/dashboard/request-exports.ts";

/** A page ends where it has so many bytes; a request is not divided. */
const PAGE_BYTES = 1024 * 1024;

/** A part of a file, and the last request that it has. */
interface Part {
  readonly text: string;
  readonly last: string;
  /** Requests that it has. */
  readonly count: number;
}

/** Creates the reader of exports of requests, in pages that follow each other to a file. */
export function createRequestPages(contents: ContentReader, pageBytes = PAGE_BYTES): ReadRequestPage {
  return async (store, query) => {
    const stop = new AbortController();
    const items: string[] = [];
    let bytes = 0;
    let requests = 0;
    try {
      const exports = createRequestExports(store, createStoreReads(store));
      for await (const { text, last, count } of readParts(exports, { query, contents, signal: stop.signal })) {
        items.push(text);
        bytes += Buffer.byteLength(text);
        requests += count;
        if (bytes >= pageBytes && last !== "") return { items, next: last, requests };
      }
      return { items, next: "", requests };
    } finally {
      stop.abort();
    }
  };
}

interface Reading {
  readonly query: ExportQuery;
  readonly contents: ContentReader;
  readonly signal: AbortSignal;
}

async function* readParts(exports: RequestExports, { query, contents, signal }: Reading): AsyncGenerator<Part> {
  const { format } = query;
  if (format !== "csv" && format !== "jsonl") {
    for await (const inference of exports.whole(query, signal)) {
      yield { text: await join(exportLine(inference, contents)), last: inference.row.id, count: 1 };
    }
    return;
  }
  let hasHeading = query.cursor !== undefined;
  for await (const rows of exports.facts(query, signal)) {
    const [heading = "", ...lines] = await collect(exportTable(oneOf(rows), format));
    const own = format === "csv" && hasHeading ? lines : [heading, ...lines];
    hasHeading = true;
    yield { text: own.join(""), last: rows.at(-1)?.id ?? "", count: rows.length };
  }
  // Without any request the table is its heading.
  if (!hasHeading) yield { text: (await collect(exportTable(oneOf([]), format))).join(""), last: "", count: 0 };
}

async function* oneOf<T>(item: T): AsyncGenerator<T> {
  yield item;
}

async function collect<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

async function join(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  const all = await collect(pieces);
  return Buffer.concat(all.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece))).toString("utf8");
}
