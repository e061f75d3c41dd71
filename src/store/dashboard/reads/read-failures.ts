import { readRows } from "../../database/executor.ts";
import { newestIds } from "../../read/queries/newest-ids.ts";
import type { TimeRange } from "../../read/queries/range.ts";
import { firstIdAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";

/** The query of failed calls. */
interface FailuresQuery {
  readonly projectId: string;
  readonly range: TimeRange;
}

/** Columns by which failed calls are told apart; the model is the one that failed to answer. */
export const FAILURE_COLUMNS = {
  reason: "coalesce(error_reason, '')",
  upstream: "upstream",
  model: "coalesce(nullif(served_model, ''), model)",
  key: "key_id",
  user: "coalesce(end_user_id, '')",
} as const;

/** A dimension that tells failed calls apart. */
export type FailureDimension = keyof typeof FAILURE_COLUMNS;
/** Dimensions that rollups have: they know no end users beside the others. */
export type CountedDimension = Exclude<FailureDimension, "user">;
/** The values of the dimensions that were asked for; an empty one is that of calls without one. */
export type FailureValues = Readonly<Partial<Record<FailureDimension, string>>>;

/** Returns the values of a group by their dimensions. */
export function toValues(by: readonly FailureDimension[], group: readonly string[]): FailureValues {
  return Object.fromEntries(by.map((dimension, at) => [dimension, group[at] ?? ""]));
}

/** A failed call, with the words of its upstream. */
export interface FailedCall {
  readonly id: string;
  readonly reason: string;
  readonly message: string;
  readonly upstream: string;
  readonly upstreamStatus: number | null;
  readonly upstreamCode: string;
  readonly model: string;
  readonly keyId: string;
  /** Empty where there is none. */
  readonly sessionId: string;
  readonly endUserId: string;
}

const IDS_PER_READ = 500;
/** Characters of a message that are read: an upstream may answer with a page. */
const MESSAGE_CHARACTERS = 600;

const COLUMNS = `id, coalesce(error_reason, '') as reason, substr(coalesce(error_message, ''), 1, ${MESSAGE_CHARACTERS})
  as message, upstream, error_upstream_status as "upstreamStatus", coalesce(error_upstream_code, '') as "upstreamCode",
  ${FAILURE_COLUMNS.model} as model, key_id as "keyId", coalesce(session_id, '') as "sessionId",
  coalesce(end_user_id, '') as "endUserId"`;

/** The query of the latest failed calls of a time. */
interface LatestQuery extends FailuresQuery {
  readonly limit: number;
}

/** Reads the latest failed calls of a time, the newest first. */
export async function readFailedCalls(store: Store, query: LatestQuery): Promise<FailedCall[]> {
  const ids = await latestFailed(store, query);
  const calls: FailedCall[] = [];
  for (let from = 0; from < ids.length; from += IDS_PER_READ) {
    const part = ids.slice(from, from + IDS_PER_READ);
    const list = part.map(() => "?").join(", ");
    const sql = `select ${COLUMNS} from inference where id in (${list}) order by id desc`;
    calls.push(...(await readRows<FailedCall>(store, sql, part)));
  }
  return calls;
}

function latestFailed(store: Store, { projectId, range, limit }: LatestQuery): Promise<string[]> {
  return newestIds(store, {
    table: "inference",
    rollup: "usage",
    projectId,
    filter: { status: "failed" },
    limit,
    fromId: firstIdAt(range.from.getTime()),
    beforeId: firstIdAt(range.to.getTime()),
  });
}

/** Failed calls that have some values in common, among the latest. */
interface LatestFailures {
  readonly values: FailureValues;
  readonly calls: number;
  readonly firstId: string;
  readonly lastId: string;
}

/** The latest failed calls of a time by what they have in common. */
interface GroupedFailures {
  readonly groups: readonly LatestFailures[];
  /** The calls that were read, and the first of them; undefined where there is none. */
  readonly read: number;
  readonly firstId: string | undefined;
}

type GroupRow = Omit<LatestFailures, "values" | "calls"> & FailureValues & { readonly calls: number | string };

/** Groups the latest failed calls of a time by what their rows know, end users among it. */
export async function groupLatestFailures(
  store: Store,
  { by, ...query }: LatestQuery & { readonly by: readonly FailureDimension[] },
): Promise<GroupedFailures> {
  const ids = await latestFailed(store, query);
  const found = new Map<string, LatestFailures>();
  const columns = by.map((dimension) => FAILURE_COLUMNS[dimension]);
  const selected = by.map((dimension, at) => `${columns[at]} as "${dimension}"`);
  for (let from = 0; from < ids.length; from += IDS_PER_READ) {
    const part = ids.slice(from, from + IDS_PER_READ);
    const sql = `select ${selected.join(", ")}, count(*) as calls, min(cast(id as text)) as "firstId",
      max(cast(id as text)) as "lastId" from inference where id in (${part.map(() => "?").join(", ")})
      group by ${columns.join(", ")}`;
    for (const row of await readRows<GroupRow>(store, sql, part)) {
      const group = by.map((dimension) => row[dimension] ?? "");
      const key = JSON.stringify(group);
      const later = found.get(key);
      found.set(key, {
        values: toValues(by, group),
        calls: Number(row.calls) + (later?.calls ?? 0),
        firstId: row.firstId,
        lastId: later?.lastId ?? row.lastId,
      });
    }
  }
  return { groups: [...found.values()], read: ids.length, firstId: ids.at(-1) };
}
