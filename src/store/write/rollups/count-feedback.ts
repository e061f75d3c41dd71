import type { FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import type { FeedbackRollupRow } from "../../entities/feedback-rollup.ts";
import { getPeriod, type Period } from "../../types/period.ts";
import type { RatedCalls } from "../recorder/rated-calls.ts";
import { compareKeys } from "./compare-keys.ts";

/** The counted members of an entry. */
export type CountedFeedback = Pick<
  FeedbackEntryRow,
  | "id"
  | "inferenceId"
  | "projectId"
  | "model"
  | "servedModel"
  | "workload"
  | "name"
  | "kind"
  | "booleanValue"
  | "floatValue"
  | "optimize"
  | "createdAt"
>;

/**
 * A value beyond it counts as it: no double holds the sum of the squares of larger ones. The entry itself stays as it
 * came.
 */
const LARGEST = 1e140;

/** Properties that make up the key of a rollup of feedback, in its order. */
const FEEDBACK_KEY = ["projectId", "period", "model", "servedModel", "workload", "name", "kind", "callKeyId"] as const;

/**
 * Counts feedback, or what is taken off for it, by hour or day and all else in the key. The rows come in the order of
 * their keys.
 */
export function countFeedback(
  period: Period,
  entries: readonly CountedFeedback[],
  calls: RatedCalls,
  times: 1 | -1 = 1,
): FeedbackRollupRow[] {
  const groups = new Map<string, FeedbackRollupRow>();
  for (const entry of entries) {
    const { projectId, model, workload, name, kind } = entry;
    const number = getPeriod(period, entry.id, entry.createdAt);
    const servedModel = entry.servedModel || model;
    const callKeyId = calls.get(entry.inferenceId)?.keyId ?? "";
    const key = JSON.stringify([projectId, number, model, servedModel, workload, name, kind, callKeyId]);
    let counts = groups.get(key);
    if (counts === undefined) {
      counts = {
        projectId,
        period: number,
        model,
        servedModel,
        workload,
        name,
        kind,
        callKeyId,
        entries: 0,
        sum: 0,
        sumOfSquares: 0,
        trueEntries: 0,
        maximised: 0,
        minimised: 0,
        leastValue: null,
        greatestValue: null,
      };
      groups.set(key, counts);
    }
    add(counts, entry, times);
  }
  return [...groups.values()].sort((a, b) => compareKeys(FEEDBACK_KEY, a, b));
}

function add(counts: FeedbackRollupRow, { booleanValue, floatValue, optimize }: CountedFeedback, times: 1 | -1): void {
  const figure = floatValue ?? (booleanValue == null ? null : Number(booleanValue));
  if (figure !== null) {
    counts.leastValue = Math.min(figure, counts.leastValue ?? figure);
    counts.greatestValue = Math.max(figure, counts.greatestValue ?? figure);
  }
  const value = Math.min(Math.max(figure ?? 0, -LARGEST), LARGEST);
  counts.entries += times;
  counts.sum += times * value;
  counts.sumOfSquares += times * value * value;
  if (booleanValue === true) counts.trueEntries += times;
  if (optimize === "max") counts.maximised += times;
  if (optimize === "min") counts.minimised += times;
}
