import { readRows } from "../../database/executor.ts";
import { newestIds } from "../../read/queries/newest-ids.ts";
import type { Bucket, TimeRange } from "../../read/queries/range.ts";
import { sumRollups } from "../../read/queries/sum-rollups.ts";
import { firstIdAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";

/** The query of failed calls. */
export interface FailuresQuery {
  readonly projectId: string;
  readonly range: TimeRange;
  readonly bucket: Bucket;
}

/** Failed calls of one reason, deployment, model and key, in one step of time. */
export interface Failures {
  /** When the step begins. */
  readonly start: Date;
  readonly reason: string;
  readonly upstream: string;
  /** The model that failed to answer. */
  readonly model: string;
  readonly keyId: string;
  readonly calls: number;
}

/** Reads failed calls from the rollups, in whole hours. */
export async function readFailures(store: Store, { projectId, range, bucket }: FailuresQuery): Promise<Failures[]> {
  const rows = await sumRollups(store, {
    ...{ rollup: "usage", projectId, range, bucket, sums: ["calls"] },
    group: ["error_reason", "upstream", "served_model", "key_id"],
    filter: { status: "failed" },
  });
  return rows.map(({ start, group: [reason = "", upstream = "", model = "", keyId = ""], sums }) => ({
    start: start ?? range.from,
    ...{ reason, upstream, model, keyId, calls: sums["calls"] ?? 0 },
  }));
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
  served_model as model, key_id as "keyId", coalesce(session_id, '') as "sessionId",
  coalesce(end_user_id, '') as "endUserId"`;

/** Reads the latest failed calls of a time, the newest first. */
export async function readFailedCalls(
  store: Store,
  { projectId, range, limit }: Omit<FailuresQuery, "bucket"> & { readonly limit: number },
): Promise<FailedCall[]> {
  const ids = await newestIds(store, {
    ...{ table: "inference", rollup: "usage", projectId, filter: { status: "failed" }, limit },
    fromId: firstIdAt(range.from.getTime()),
    beforeId: firstIdAt(range.to.getTime()),
  });
  const calls: FailedCall[] = [];
  for (let from = 0; from < ids.length; from += IDS_PER_READ) {
    const part = ids.slice(from, from + IDS_PER_READ);
    const list = part.map(() => "?").join(", ");
    const sql = `select ${COLUMNS} from inference where id in (${list}) order by id desc`;
    calls.push(...(await readRows<FailedCall>(store, sql, part)));
  }
  return calls;
}
