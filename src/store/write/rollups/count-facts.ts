import { encodeHistogram, type Histogram } from "../../../figures/histogram.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import type { UsageFactRow } from "../../entities/usage-fact.ts";
import { getPeriod, type Period } from "../../types/period.ts";
import { addCall, NO_CALLS } from "./add-call.ts";
import { compareKeys } from "./compare-keys.ts";
import type { CountedInference } from "./count-usage.ts";
import type { CountedName } from "./rollup-names.ts";

/** The counted members of an inference, with its end user and its tags. */
export type InferenceWithFacts = CountedInference & Pick<InferenceRow, "endUserId" | "tags">;

/** The kinds of facts that calls are counted by, in the order of their rows. */
export const FACT_KINDS = ["end_user", "tag"] as const;

/** A kind of facts. */
export type FactKind = (typeof FACT_KINDS)[number];

type Counts = { -readonly [Name in keyof UsageFactRow]: UsageFactRow[Name] } & { total: Histogram };

/** Properties that make up the key of the rollup, in its order. */
const FACT_KEY = ["projectId", "period", "kind", "keyId", "name", "status"] as const;

/** Returns the names of one kind that inferences have, with their projects. */
export function namesOfFacts(kind: FactKind, inferences: readonly InferenceWithFacts[]) {
  return inferences.flatMap((inference) =>
    factNames(kind, inference).map((name) => ({ projectId: inference.projectId, name })),
  );
}

/**
 * Counts inferences by the period, their end user and each of their tags. The rows come in the order of their keys.
 */
export function countFacts(
  period: Period,
  inferences: readonly InferenceWithFacts[],
  nameOf: CountedName,
): UsageFactRow[] {
  const groups = new Map<string, Counts>();
  for (const inference of inferences) {
    for (const kind of FACT_KINDS) {
      // Of several tags beyond the cap, a call has one.
      const names = new Set(factNames(kind, inference).map((name) => nameOf(kind, inference.projectId, name)));
      for (const name of names) addCall(getGroup(groups, inference, { period, kind, name }), inference);
    }
  }
  const rows = [...groups.values()].map(({ total, ...row }) => ({ ...row, latencies: encodeHistogram(total) }));
  return rows.sort((a, b) => compareKeys(FACT_KEY, a, b));
}

/** Returns the names of one kind that a call has. */
export function factNames(
  kind: FactKind,
  { endUserId, tags }: Pick<InferenceWithFacts, "endUserId" | "tags">,
): readonly string[] {
  if (kind === "end_user") return endUserId ? [endUserId] : [];
  return tags == null ? [] : Object.entries(tags).map(([name, value]) => `${name}=${value}`);
}

function getGroup(
  groups: Map<string, Counts>,
  { id, startedAt, projectId, keyId, status }: InferenceWithFacts,
  { period: length, ...fact }: { readonly period: Period; readonly kind: FactKind; readonly name: string },
): Counts {
  const period = getPeriod(length, id, startedAt);
  const key = JSON.stringify([projectId, period, fact.kind, keyId, fact.name, status]);
  const counts = groups.get(key) ?? {
    projectId,
    period,
    keyId,
    status,
    ...fact,
    ...NO_CALLS,
    latencies: "",
    total: [],
  };
  groups.set(key, counts);
  return counts;
}
