import { REFUSAL_REASONS, type RefusalCount, type RefusalReason, type RefusalSample } from "../../hub/refusals.ts";
import { PERIODS, periodAt } from "../types/period.ts";
import type { Store } from "../types/store.ts";

/** A question about refused calls. */
export interface RefusalQuery {
  /** Empty for calls of which no project is known. */
  readonly projectId: string;
  /** Undefined for all keys of the project. */
  readonly keyId?: string | undefined;
  /** The count begins with the hour that this lies in. */
  readonly since: Date;
  /** The end of the time, which the count rounds up to an hour; undefined for now. */
  readonly before?: Date | undefined;
}

/** The refused calls of a project. */
interface Refusals {
  /** By reason and key, most calls first. */
  readonly counts: readonly Omit<RefusalCount, "hour">[];
  /** Newest first, up to 100 of each reason. */
  readonly samples: readonly RefusalSample[];
}

/** Reads the refused calls of a project, or of one of its keys. */
export async function readRefusals(store: Store, { projectId, keyId, since, before }: RefusalQuery): Promise<Refusals> {
  const endHour = before && Math.ceil(before.getTime() / PERIODS.hour);
  const [counts, samples] = await Promise.all([
    store
      .query()
      .selectFrom("RefusalHour")
      .select(({ fn }) => ["projectId", "reason", "keyId", fn.sum<number | string>("calls").as("calls")])
      .where("projectId", "=", projectId)
      .where("hour", ">=", periodAt("hour", since.getTime()))
      .$if(endHour !== undefined, (query) => query.where("hour", "<", endHour ?? 0))
      .$if(keyId !== undefined, (query) => query.where("keyId", "=", keyId ?? ""))
      .groupBy(["projectId", "reason", "keyId"])
      .execute(),
    store
      .query()
      .selectFrom("RefusedCall")
      .selectAll()
      .where("projectId", "=", projectId)
      .where("at", ">=", since)
      .$if(before !== undefined, (query) => query.where("at", "<", before ?? since))
      .$if(keyId !== undefined, (query) => query.where("keyId", "=", keyId ?? ""))
      .orderBy("id", "desc")
      .execute(),
  ]);
  return {
    counts: counts
      .flatMap(known)
      .map((row) => ({ ...row, calls: Number(row.calls) }))
      .sort(mostFirst),
    samples: samples.flatMap(known),
  };
}

/** Leaves out reasons of another version. */
function known<Row extends { readonly reason: string }>(row: Row): (Row & { readonly reason: RefusalReason })[] {
  const reason = REFUSAL_REASONS.find((name) => name === row.reason);
  return reason === undefined ? [] : [{ ...row, reason }];
}

function mostFirst(a: { readonly calls: number }, b: { readonly calls: number }): number {
  return b.calls - a.calls;
}
