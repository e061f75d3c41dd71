import type { FeedbackFactRow } from "../../entities/feedback-rollup.ts";
import { getPeriod, type Period } from "../../types/period.ts";
import type { RatedCalls } from "../recorder/rated-calls.ts";
import { compareKeys } from "./compare-keys.ts";
import { FACT_KINDS, type FactKind, factNames } from "./count-facts.ts";
import type { CountedFeedback } from "./count-feedback.ts";
import type { CountedName } from "./rollup-names.ts";

/** Properties that make up the key of the rollup, in its order. */
const FACT_KEY = ["projectId", "period", "kind", "keyId", "name"] as const;

/** Returns the names of one kind that the calls have which feedback is on, with the projects. */
export function namesOfRated(kind: FactKind, feedback: readonly CountedFeedback[], calls: RatedCalls) {
  return feedback.flatMap(({ projectId, inferenceId }) => {
    const call = calls.get(inferenceId);
    return call === undefined ? [] : factNames(kind, call).map((name) => ({ projectId, name }));
  });
}

/**
 * Counts feedback by the period, the end user of the call that it is on, and each of its tags. The rows come in the
 * order of their keys.
 */
export function countFeedbackFacts(
  length: Period,
  feedback: readonly CountedFeedback[],
  {
    calls,
    nameOf,
    times = 1,
  }: { readonly calls: RatedCalls; readonly nameOf: CountedName; readonly times?: 1 | -1 | undefined },
): FeedbackFactRow[] {
  const groups = new Map<string, FeedbackFactRow>();
  for (const { id, inferenceId, projectId, kind: content, booleanValue, createdAt } of feedback) {
    const call = calls.get(inferenceId);
    if (call === undefined) continue;
    const period = getPeriod(length, id, createdAt);
    const { keyId } = call;
    for (const kind of FACT_KINDS) {
      // Of several tags beyond the cap, a call has one.
      for (const name of new Set(factNames(kind, call).map((own) => nameOf(kind, projectId, own)))) {
        const key = JSON.stringify([projectId, period, kind, keyId, name]);
        const counts = groups.get(key) ?? {
          projectId,
          period,
          kind,
          keyId,
          name,
          entries: 0,
          booleans: 0,
          trueEntries: 0,
        };
        groups.set(key, counts);
        counts.entries += times;
        if (content === "boolean") counts.booleans += times;
        if (booleanValue === true) counts.trueEntries += times;
      }
    }
  }
  return [...groups.values()].sort((a, b) => compareKeys(FACT_KEY, a, b));
}
