import { setImmediate as nextTurn } from "node:timers/promises";
import { foldCase } from "../../../lib/fold-case.ts";
import { idTimeMs } from "../../../lib/ids.ts";
import { readRows } from "../../database/executor.ts";
import type { Store } from "../../types/store.ts";
import { checkLimit, idBounds, readInferences } from "./list-inferences.ts";
import { idsThatMatch } from "./rows-that-match.ts";
import type { InferenceSearch, SearchResult } from "./search-inferences.ts";
import { toPattern } from "./to-pattern.ts";

/** Inferences whose first words one statement compares: some five milliseconds. */
const ROWS_PER_READ = 5000;

/** The range of ids that one statement looks through. */
interface Chunk {
  readonly projectId: string;
  readonly fromId: string;
  readonly beforeId: string;
}

/**
 * Looks for a text in the first words of prompts and answers, from the newest inference back, in their index alone.
 * Each call looks for a limited time and says how far it came. Throws a RangeError for a limit or a tag beyond its
 * bounds.
 */
export async function searchFirstWords(store: Store, search: InferenceSearch): Promise<SearchResult> {
  checkLimit(search.limit);
  const { projectId, limit } = search;
  const deadline = performance.now() + search.budgetMs;
  const { fromId, beforeId } = idBounds(search);
  const found: string[] = [];
  let before = beforeId;
  let looked = 0;
  for (;;) {
    const chunk = { projectId, fromId, beforeId: before };
    const start = await getStart(store, chunk);
    const first = start ?? (await getOldest(store, chunk));
    const candidates = first === undefined ? [] : await compare(store, { ...chunk, fromId: first }, search.text);
    found.push(...(await idsThatMatch(store, search, candidates)));
    looked += start === undefined ? await count(store, chunk) : ROWS_PER_READ;
    const last = found[limit - 1];
    if (last !== undefined) return await toResult(store, search, { ids: found.slice(0, limit), looked, next: last });
    if (start === undefined || performance.now() > deadline) {
      return await toResult(store, search, { ids: found, looked, next: start });
    }
    before = start;
    await nextTurn();
  }
}

/**
 * Returns the first id of as many as one statement compares; undefined where there are fewer. Rows of inferences have a
 * partition for each week and their bodies one for each day: a range of days is found here, and the others are left
 * out.
 */
async function getStart(store: Store, { projectId, fromId, beforeId }: Chunk): Promise<string | undefined> {
  const sql = "select id from inference where project_id = ? and id >= ? and id < ? order by id desc limit 1 offset ?";
  const [row] = await readRows<{ id: string }>(store, sql, [projectId, fromId, beforeId, ROWS_PER_READ - 1]);
  return row?.id;
}

async function getOldest(store: Store, { projectId, fromId, beforeId }: Chunk): Promise<string | undefined> {
  const sql = "select id from inference where project_id = ? and id >= ? and id < ? order by id limit 1";
  const [row] = await readRows<{ id: string }>(store, sql, [projectId, fromId, beforeId]);
  return row?.id;
}

async function count(store: Store, { projectId, fromId, beforeId }: Chunk): Promise<number> {
  const sql = "select count(*) as rows from inference where project_id = ? and id >= ? and id < ?";
  const [row] = await readRows<{ rows: number }>(store, sql, [projectId, fromId, beforeId]);
  return Number(row?.rows ?? 0);
}

/** Returns the ids whose first words have the text, the greatest first. */
async function compare(store: Store, { projectId, fromId, beforeId }: Chunk, text: string): Promise<string[]> {
  const like = store.engine === "postgres" ? "ilike" : "like";
  const pattern = toPattern(text);
  const sql =
    "select id, prompt, answer from inference_body where project_id = ? and id >= ? and id < ? and " +
    `(prompt ${like} ? escape '!' or answer ${like} ? escape '!') order by id desc`;
  const values = [projectId, fromId, beforeId, pattern, pattern];
  const rows = await readRows<{ id: string; prompt: string; answer: string }>(store, sql, values);
  const needle = foldCase(text);
  return rows
    .filter((row) => [row.prompt, row.answer].some((words) => foldCase(words).includes(needle)))
    .map(({ id }) => id);
}

interface Found {
  readonly ids: readonly string[];
  readonly looked: number;
  readonly next: string | undefined;
}

async function toResult(store: Store, { projectId }: InferenceSearch, { ids, looked, next }: Found) {
  const timeMs = next === undefined ? undefined : idTimeMs(next);
  const searchedTo = timeMs === undefined ? undefined : new Date(timeMs);
  return { rows: await readInferences(store, projectId, ids), next, searchedTo, looked };
}
