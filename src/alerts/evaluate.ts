import { type AlertKind, formatAlertValue } from "./kinds.ts";
import type { AlertChanges, AlertRecord, CallFigures, CallWindows, Condition, LearningFact, Signal } from "./ports.ts";
import type { AlertRule, RuleBook } from "./rules.ts";

/** All that rules are held against. */
export interface Readings {
  readonly calls: CallWindows;
  readonly signals: readonly Signal[];
  /** Workloads by the window of rules, in minutes. */
  readonly learning: ReadonlyMap<number, readonly LearningFact[]>;
}

/** A value before it is held against its rule. */
interface Measured {
  readonly projectId: string;
  readonly subject: string;
  readonly value: number;
  /** The sentence about it, without its threshold. */
  readonly summary: string;
}

/** Returns the conditions that the rules tell of. */
export function findConditions(book: RuleBook, readings: Readings): Condition[] {
  return [
    ...ofCalls(book, readings.calls),
    ...ofSignals(book, readings.signals),
    ...ofLearning(book, readings.learning),
  ];
}

const OF_CALLS = ["error-rate", "latency", "refused-keys", "canceled-cost"] as const;

/** Returns whether rules of a kind are about calls in a window of time. */
export function isOfCalls(kind: AlertKind): kind is (typeof OF_CALLS)[number] {
  return OF_CALLS.some((name) => name === kind);
}

function ofCalls(book: RuleBook, calls: CallWindows): Condition[] {
  return OF_CALLS.flatMap((kind) =>
    book.windows(kind).flatMap((minutes) => {
      const ofWindow = ({ windowMinutes }: AlertRule) => windowMinutes === minutes;
      const all = book.find(kind, "", "installation").filter(ofWindow);
      return [
        ...[...calls.within(minutes)].flatMap(([projectId, figures]) =>
          book
            .find(kind, projectId, "project")
            .filter(ofWindow)
            .flatMap((rule) => measureCalls(rule, projectId, figures)),
        ),
        ...all.flatMap((rule) => measureCalls(rule, "", calls.total(minutes))),
      ];
    }),
  );
}

function measureCalls(rule: AlertRule, projectId: string, figures: CallFigures): Condition[] {
  const { kind, minCalls, windowMinutes } = rule;
  const { calls, failedCalls, refusedKeys, latencyP95Ms } = figures;
  const within = windowMinutes === 1 ? "in a minute" : `in ${windowMinutes} minutes`;
  if (kind === "refused-keys") {
    const summary = `${refusedKeys} calls with an unknown, revoked or expired key were refused ${within}`;
    return hold(rule, { projectId, subject: "", value: refusedKeys, summary });
  }
  if (kind === "canceled-cost") {
    const { canceledCalls, canceledCostNanos, costNanos } = figures;
    if (canceledCalls < Math.max(1, minCalls) || costNanos === 0) return [];
    const value = canceledCostNanos / costNanos;
    const summary =
      `${formatAlertValue(kind, value)} of the cost ${within} was for ${canceledCalls} calls ` +
      "that ended before their answer";
    return hold(rule, { projectId, subject: "", value, summary });
  }
  if (calls < Math.max(1, minCalls)) return [];
  if (kind === "error-rate") {
    const value = failedCalls / calls;
    const summary = `${formatAlertValue(kind, value)} of ${calls} calls failed ${within}`;
    return hold(rule, { projectId, subject: "", value, summary });
  }
  if (latencyP95Ms === undefined) return [];
  const value = latencyP95Ms / 1000;
  const summary = `5% of ${calls} calls took longer than ${formatAlertValue("latency", value)} ${within}`;
  return hold(rule, { projectId, subject: "", value, summary });
}

const OF_SIGNALS: Record<Signal["kind"], (subject: string, value: string) => string> = {
  budget: (subject, value) => `${value} of the budget is used: ${subject}`,
  deployment: (subject, value) => `the deployment ${subject} has failed for ${value}`,
  spool: (_, value) => `the spool holds ${value} of what it may: records wait for the database`,
};

function ofSignals(book: RuleBook, signals: readonly Signal[]): Condition[] {
  // Several processes report the same thing: the worst of them counts.
  const worst = new Map<string, Signal>();
  for (const signal of signals) {
    const key = `${signal.kind} ${signal.projectId} ${signal.subject}`;
    if ((worst.get(key)?.value ?? Number.NEGATIVE_INFINITY) < signal.value) worst.set(key, signal);
  }
  return [...worst.values()].flatMap(({ kind, projectId, subject, value }) => {
    const summary = OF_SIGNALS[kind](subject, formatAlertValue(kind, value));
    // A budget of the installation is no project's, though its rule is one for projects too.
    const rules = [...book.find(kind, projectId, "project"), ...book.find(kind, projectId, "installation")];
    return rules.flatMap((rule) => hold(rule, { projectId, subject, value, summary }));
  });
}

const OF_LEARNING: Record<LearningFact["kind"], (model: string) => string> = {
  drift: (model) => `the quality of ${model} has drifted`,
  "regret-budget": (model) => `other models may lose no more against ${model} for now: only ${model} answers`,
  "crowded-metrics": (model) => `feedback on ${model} has more names of numbers than are learned from`,
};

function ofLearning(book: RuleBook, learning: Readings["learning"]): Condition[] {
  return [...learning].flatMap(([minutes, facts]) =>
    facts.flatMap(({ kind, projectId, model }) =>
      book
        .find(kind, projectId, "project")
        .filter(({ windowMinutes }) => windowMinutes === minutes)
        .flatMap((rule) => hold(rule, { projectId, subject: model, value: 1, summary: OF_LEARNING[kind](model) })),
    ),
  );
}

function hold({ name: rule, kind, threshold }: AlertRule, measured: Measured): Condition[] {
  return measured.value >= threshold ? [{ ...measured, rule, kind, threshold }] : [];
}

/** A condition is over once it was not seen for so long. */
const OVER_MS = 5 * 60_000;

/** An alert whose condition holds on is written so often. */
const SEEN_EVERY_MS = 60_000;

/** Returns what has changed since the alerts were opened. */
export function compareAlerts(
  open: readonly AlertRecord[],
  conditions: readonly Condition[],
  { nowMs, isKnown }: { readonly nowMs: number; readonly isKnown: (alert: AlertRecord) => boolean },
): AlertChanges {
  const byKey = new Map(conditions.map((condition) => [openKey(condition), condition]));
  const seen = open.flatMap((alert) => {
    const condition = byKey.get(openKey(alert));
    const isRecent = nowMs - alert.seenAt.getTime() < SEEN_EVERY_MS;
    if (condition === undefined || isRecent) return [];
    return [{ id: alert.id, condition, isChanged: condition.value !== alert.value }];
  });
  const known = new Set(open.map(openKey));
  const isOver = (alert: AlertRecord): boolean =>
    !byKey.has(openKey(alert)) && nowMs - alert.seenAt.getTime() >= OVER_MS && isKnown(alert);
  return {
    opened: [...byKey].filter(([key]) => !known.has(key)).map(([, condition]) => condition),
    seen,
    closed: open.filter(isOver).map(({ id }) => id),
  };
}

/** Returns the name of a cause among those that are open. */
export function openKey({ projectId, rule, subject }: Pick<Condition, "projectId" | "rule" | "subject">): string {
  return JSON.stringify([projectId, rule, subject]);
}
