import { REFUSAL_REASONS, type RefusalCount, type RefusalReason, type RefusalSample } from "../../hub/refusals.ts";
import { PERIODS } from "../types/period.ts";
import type { Store } from "../types/store.ts";
import { findRefusalPeriods } from "./read-refusal-steps.ts";

/** A question about refused calls. */
export interface RefusalQuery {
  /** Empty for calls of which no project is known. */
  readonly projectId: string;
  /** Undefined for all keys of the project. */
  readonly keyId?: string | undefined;
  /** The count begins with the step that this lies in. */
  readonly since: Date;
  /** The end of the time, which the count rounds up to a step; undefined for now. */
  readonly before?: Date | undefined;
  /** Below an hour the count is by minutes, which the last two hours have. */
  readonly stepMs?: number | undefined;
}

/** The refused calls of a reason and a key. */
type RefusedOf = Omit<RefusalCount, "minute" | "firstMs" | "lastMs">;

/** The refused calls of a project. */
interface Refusals {
  /** By reason and key, most calls first. */
  readonly counts: readonly RefusedOf[];
  /** Newest first, up to 100 of each reason. */
  readonly samples: readonly RefusalSample[];
}

/** Reads the refused calls of a project, or of one of its keys. */
export async function readRefusals(store: Store, query: RefusalQuery): Promise<Refusals> {
  const { projectId, keyId, since, before, stepMs = PERIODS.hour } = query;
  const { entity, first, end } = findRefusalPeriods({ range: { from: since, to: before ?? since }, stepMs });
  const [counts, samples] = await Promise.all([
    store
      .query()
      .selectFrom(entity)
      .select(({ fn }) => ["projectId", "reason", "keyId", fn.sum<number | string>("calls").as("calls")])
      .where("projectId", "=", projectId)
      .where("period", ">=", first)
      .$if(before !== undefined, (counts) => counts.where("period", "<", end))
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
