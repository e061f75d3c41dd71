import { setImmediate as nextTurn } from "node:timers/promises";
import { blockTexts } from "../../../hub/block-texts.ts";
import { expandBody } from "../../../lib/compress-body.ts";
import { foldCase } from "../../../lib/fold-case.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import { decodeMessages, type EncodedContent, type InferenceContent } from "../../types/inference-body.ts";
import type { Store } from "../../types/store.ts";
import { checkLimit, type InferenceListQuery, listInferences } from "./list-inferences.ts";
import { readBodies, readBodySizes, selectBodies } from "./read-bodies.ts";

/** The query of a search, and its time limit. */
export interface InferenceSearch extends InferenceListQuery {
  /** The text to find in their texts, errors, sessions, end users or tags, in any case. */
  readonly text: string;
  /** The time limit of one call. It looks at one inference at least, so that each call makes progress. */
  readonly budgetMs: number;
}

/** The result so far. */
export interface SearchResult {
  readonly rows: readonly InferenceRow[];
  /** The cursor of the next call; undefined once all were searched. */
  readonly next: string | undefined;
  /** Time of the last inference that was looked at; undefined if there was none. */
  readonly searchedTo: Date | undefined;
  /** The number of inferences searched. */
  readonly looked: number;
}

/** Inferences that are listed at a time. */
const LISTED = 200;
/** After so long others have their turn: SQLite answers without leaving it. */
const TURN_MS = 15;

/**
 * Looks for a text, from the newest inference back. Texts are compressed and have no index, so each call looks for a
 * limited time and says how far it came. Throws a RangeError for a limit or a tag beyond its bounds.
 */
export async function searchInferences(store: Store, search: InferenceSearch): Promise<SearchResult> {
  checkLimit(search.limit);
  const needle = foldCase(search.text);
  const deadline = performance.now() + search.budgetMs;
  const found: InferenceRow[] = [];
  let cursor = search.cursor;
  let searchedTo: Date | undefined;
  let looked = 0;
  const source = {
    readBodySizes: (ids: readonly string[]) => readBodySizes(store, ids),
    selectBodies: (ids: readonly string[]) => selectBodies(store, ids),
  };
  for (;;) {
    const page = await listInferences(store, { ...search, cursor, limit: LISTED });
    const rows = new Map(page.rows.map((row) => [row.id, row]));
    let turnEnds = performance.now() + TURN_MS;
    for await (const { id, body } of readBodies(source, [...rows.keys()])) {
      const row = rows.get(id);
      if (row === undefined) continue;
      looked += 1;
      searchedTo = row.startedAt;
      cursor = id;
      if (await isMatch(row, body, needle)) found.push(row);
      const now = performance.now();
      if (found.length >= search.limit || now > deadline) return { rows: found, next: cursor, searchedTo, looked };
      if (now < turnEnds) continue;
      await nextTurn();
      turnEnds = performance.now() + TURN_MS;
    }
    if (page.next === undefined) return { rows: found, next: undefined, searchedTo, looked };
  }
}

async function isMatch(row: InferenceRow, body: EncodedContent | undefined, needle: string): Promise<boolean> {
  const { errorMessage, sessionId, endUserId, tags } = row;
  for (const text of [errorMessage, sessionId, endUserId, ...Object.values(tags ?? {})]) {
    if (foldCase(text ?? "").includes(needle)) return true;
  }
  if (body === undefined) return false;
  const [request, response] = [await expandBody(body.request), await expandBody(body.response)];
  // Most have it nowhere in their bytes, and need not be decoded.
  if (
    ![request, response].some((bytes) =>
      foldCase(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8")).includes(needle),
    )
  )
    return false;
  for (const text of contentTexts(decodeMessages(request, response))) if (foldCase(text).includes(needle)) return true;
  return false;
}

/** Yields what people wrote and read in an inference: no images, no signatures, nothing that only programs read. */
function* contentTexts({ input, output }: InferenceContent): Generator<string> {
  yield* blockTexts(input.system);
  for (const message of input.messages) yield* blockTexts(message.content);
  yield* blockTexts(output.content);
  yield* Object.values(input.metadata);
}
