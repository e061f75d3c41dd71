import { formatNumber } from "../../../web/parts/format.ts";
import type { FeedbackMetric } from "./types.ts";
import { KIND_WORDS } from "./write-value.ts";

/** A metric as people know it: by its name, whatever kinds of values were sent under it. */
export interface NamedMetric extends FeedbackMetric {
  /** The same name with values of other kinds, those with the most entries first. */
  readonly others: readonly FeedbackMetric[];
}

/** Joins metrics of one name; each stands for the kind that has the most entries, where the first one stood. */
export function joinKinds(metrics: readonly FeedbackMetric[]): readonly NamedMetric[] {
  const byName = Map.groupBy(metrics, ({ name }) => name);
  return [...byName.values()].flatMap((kinds) => {
    const [most, ...others] = kinds.toSorted((a, b) => b.entries - a.entries);
    return most === undefined ? [] : [{ ...most, others }];
  });
}

/** Says of names under which values of several kinds were sent what came; undefined if there are none. */
export function writeMixedKinds(metrics: readonly NamedMetric[]): string | undefined {
  const mixed = metrics.filter(({ others }) => others.length > 0);
  const examples = mixed.slice(0, 3).map((metric) => {
    const kinds = [metric, ...metric.others].map(
      ({ kind, entries }) => `${KIND_WORDS[kind] ?? kind} (${formatNumber(entries)})`,
    );
    return `${metric.name}: ${kinds.join(", ")}`;
  });
  if (examples.length === 0) return undefined;
  const more = mixed.length > examples.length ? `, and ${mixed.length - examples.length} more` : "";
  return `Values of several kinds came under one name. Send one kind under each. ${examples.join("; ")}${more}.`;
}
