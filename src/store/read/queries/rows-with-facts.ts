import { isUuid } from "../../../lib/ids.ts";
import { readRows } from "../../database/executor.ts";
import type { Store } from "../../types/store.ts";
import { type CallFilter, filteredColumns } from "./call-filter.ts";
import { matching, type NewestRow, toNewestRows } from "./newest-ids.ts";

/** Facts that calls have; undefined matches any. */
export interface FactFilter {
  readonly sessionId?: string | undefined;
  readonly endUserId?: string | undefined;
  /** One of their tags. */
  readonly callTag?: { readonly name: string; readonly value: string } | undefined;
}

/** The query of inferences by their facts. */
interface FactSearch {
  readonly projectId: string;
  readonly limit: number;
  /** Ids are not less than the first, and less than the second. */
  readonly fromId: string;
  readonly beforeId: string;
  readonly filter: CallFilter;
  readonly facts: FactFilter;
  /** SQL of a number that is read with them. */
  readonly value?: string | undefined;
}

/** A condition on rows of `inference`. */
interface Match {
  readonly sql: string;
  readonly values: readonly string[];
}

/** Finds inferences by their facts, each of which has an index: the greatest ids, in falling order. */
export async function rowsWithFacts(store: Store, search: FactSearch): Promise<NewestRow[]> {
  const { projectId, filter, facts, fromId, beforeId, limit, value = "null" } = search;
  const columns = columnMatches(projectId, filter);
  const range: Match = {
    sql: "inference.project_id = ? and inference.id >= ? and inference.id < ?",
    values: [projectId, fromId, beforeId],
  };
  const read = (matches: readonly Match[], most: number) =>
    readMatching(store, [range, ...matches, ...columns], value, most);
  const rows = await read(factMatches(projectId, facts), limit);
  const { sessionId } = facts;
  if (rows.length >= limit || sessionId === undefined || !isUuid(sessionId)) return rows;
  // A chain of responses is named after its first, which was no conversation yet when it was made.
  const first: Match = { sql: "inference.id = ?", values: [sessionId.toLowerCase()] };
  const others = factMatches(projectId, { ...facts, sessionId: undefined });
  return [...rows, ...(await read([first, ...others], 1))];
}

/** Returns what rows match that have facts. */
export function factMatches(projectId: string, { sessionId, endUserId, callTag }: FactFilter): Match[] {
  const matches: Match[] = [];
  if (sessionId !== undefined) matches.push({ sql: "inference.session_id = ?", values: [sessionId] });
  if (endUserId !== undefined) matches.push({ sql: "inference.end_user_id = ?", values: [endUserId] });
  if (callTag !== undefined) {
    const tagged =
      "inference.id in (select tag.id from inference_tag as tag where tag.project_id = ? and tag.name = ? and " +
      "tag.value = ?)";
    matches.push({ sql: tagged, values: [projectId, callTag.name, callTag.value] });
  }
  return matches;
}

function columnMatches(projectId: string, filter: CallFilter): Match[] {
  return Object.entries(filteredColumns(filter)).flatMap(([column, value]) =>
    value === undefined ? [] : [matching(projectId, column, value)],
  );
}

async function readMatching(
  store: Store,
  matches: readonly Match[],
  value: string,
  limit: number,
): Promise<NewestRow[]> {
  const where = matches.map(({ sql }) => sql).join(" and ");
  const sql = `select inference.id, ${value} as value from inference where ${where} order by inference.id desc limit ?`;
  return toNewestRows(await readRows(store, sql, [...matches.flatMap(({ values }) => values), limit]));
}
