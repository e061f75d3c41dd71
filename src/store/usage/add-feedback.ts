import type { FeedbackFigures, UsageReport } from "../../hub/usage.ts";
import { OTHER_NAMES } from "../entities/rollup-name.ts";
import type { FeedbackUsage } from "./read-feedback-usage.ts";
import { inOrder } from "./read-session-usage.ts";
import { NO_FIGURES } from "./usage-figures.ts";

const NONE: FeedbackFigures = { entries: 0, booleans: 0, trues: 0 };

/** Adds figures of feedback to a report; to none of its groups where they are too many to be read. */
export function addFeedback(
  report: UsageReport,
  groups: readonly FeedbackUsage[] | undefined,
  all: readonly FeedbackUsage[] | undefined,
): UsageReport {
  const total = all && { ...report.total, feedback: all.map(({ feedback }) => feedback).reduce(sum, NONE) };
  if (groups === undefined) return { ...report, total: total ?? report.total };
  const found = new Map(report.groups.map(({ values, figures }) => [values.join("\0"), { values, figures }]));
  const known = report.groups[0]?.values.map((_, at) => new Set(report.groups.map(({ values }) => values[at])));
  const given = new Map<string, FeedbackFigures>();
  for (const { values, feedback } of groups) {
    const counted = values.map((value, at) => countedName(value, known?.[at]));
    const key = counted.join("\0");
    given.set(key, sum(given.get(key) ?? NONE, feedback));
    // Feedback may be on calls of an earlier time.
    if (!found.has(key)) found.set(key, { values: counted, figures: NO_FIGURES });
  }
  const added = [...found].map(([key, { values, figures }]) => ({
    values,
    figures: { ...figures, feedback: given.get(key) ?? NONE },
  }));
  return { ...report, groups: added.sort((a, b) => inOrder(a.values, b.values)), total: total ?? report.total };
}

/** Names that figures do not tell apart are counted together. */
function countedName(value: string, known: ReadonlySet<string | undefined> | undefined): string {
  return known?.has(value) === false && known.has(OTHER_NAMES) ? OTHER_NAMES : value;
}

function sum(one: FeedbackFigures, other: FeedbackFigures): FeedbackFigures {
  return {
    entries: one.entries + other.entries,
    booleans: one.booleans + other.booleans,
    trues: one.trues + other.trues,
  };
}
