import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { DashboardRouter } from "../../../src/dashboard/router.ts";
import { SAVING_KINDS } from "../../../src/hub/saving-kinds.ts";
import type { FeedbackEntryRow } from "../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import type { History } from "./history.ts";
import * as naive from "./naive.ts";
import { by, DAY, HOUR, type Span, sum, within } from "./naive.ts";

type Outputs = inferRouterOutputs<DashboardRouter>;
type Inputs = inferRouterInputs<DashboardRouter>;
type Record_ = DashboardRouter["_def"]["record"];

/** The paths of all queries of the dashboard. */
type QueryPath = {
  [Room in keyof Record_]: {
    [Name in keyof Record_[Room]]: Record_[Room][Name] extends { _def: { type: "query" } }
      ? `${Room}.${Name & string}`
      : never;
  }[keyof Record_[Room]];
}[keyof Record_];

type At<Tree, Path> = Path extends `${infer Room}.${infer Name}`
  ? Room extends keyof Tree
    ? Name extends keyof Tree[Room]
      ? Tree[Room][Name]
      : never
    : never
  : never;

/** What a page is asked: by chance, in a time. */
export interface Asked {
  readonly history: History;
  readonly range: { readonly range: string; readonly from?: string; readonly to?: string };
  /** The time that is meant, its steps, and the distance of the period that it is compared with. */
  readonly window: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly stepMs: number;
    readonly periodMs: number;
  };
  /** The day from which on there are hours; before it, whole days count. */
  readonly hoursSinceMs: number;
  readonly pick: <T>(values: readonly T[]) => T;
}

/** Stands for what a page shows and is no figure. */
export const NO_FIGURE: "no figure" = "no figure";

/** An output of which each member that is no figure is said to be none: one that is forgotten does not compile. */
type Deep<T> =
  | typeof NO_FIGURE
  | (T extends readonly (infer Item)[]
      ? readonly Deep<Item>[]
      : T extends object
        ? { readonly [Name in keyof T]: Deep<T[Name]> }
        : T);

/** A page's input, and all of its output as the rows say. */
type Page<Path> = (asked: Asked) => {
  readonly input: Omit<At<Inputs, Path>, "projectId" | "range" | "from" | "to">;
  readonly output: Deep<At<Outputs, Path>>;
};

/** The calls of the time that a page is asked for. */
function callsIn({ history, window, hoursSinceMs }: Asked, changes: Partial<Span> = {}): InferenceRow[] {
  return within(history.calls, { ...window, hoursSinceMs, unit: unitOf(window), ...changes });
}

function entriesIn({ history, window, hoursSinceMs }: Asked): FeedbackEntryRow[] {
  return within(history.feedback, { ...window, hoursSinceMs });
}

/** Of steps below an hour the calls themselves are read, to the millisecond. */
function unitOf({ stepMs }: Asked["window"]): number {
  return stepMs < HOUR ? 1 : HOUR;
}

function refusedIn({ history, window: { fromMs, toMs } }: Asked) {
  return history.refused.filter(({ hour }) => hour * HOUR >= naive.floor(fromMs, HOUR) && hour * HOUR < toMs);
}

/** The steps of a time, in order. */
function steps({ fromMs, toMs }: Asked["window"], stepMs: number) {
  const all = [];
  for (let startMs = naive.floor(fromMs, stepMs); startMs < toMs; startMs += stepMs) {
    all.push({ startMs, isPartial: startMs < fromMs || startMs + stepMs > toMs });
  }
  return all;
}

/** Puts rows into steps; where there are no hours any more, a day is counted in its first hour. */
function inSteps<Row extends { readonly id: string }>(rows: readonly Row[], asked: Asked, stepMs: number): Row[][] {
  const startOf = (row: Row) => {
    const timeMs = naive.timeOf(row);
    return naive.floor(timeMs < asked.hoursSinceMs ? naive.floor(timeMs, DAY) : timeMs, stepMs);
  };
  return steps(asked.window, stepMs).map(({ startMs }) => rows.filter((row) => startOf(row) === startMs));
}

function shown(calls: readonly InferenceRow[]) {
  return {
    calls: calls.length,
    failedCalls: naive.failed(calls).length,
    inputTokens: naive.sent(calls),
    freshTokens: sum(calls, (call) => (call.inputTokens ?? 0) + (call.cacheWriteTokens ?? 0)),
    cachedTokens: sum(calls, ({ cacheReadTokens }) => cacheReadTokens),
    outputTokens: naive.answered(calls),
    costNanos: naive.cost(calls),
    savedNanos: naive.baseCost(calls) - naive.cost(calls),
    cacheSavedNanos: sum(calls, ({ cacheSavedNanos }) => cacheSavedNanos),
    firstTokenP50Ms: naive.firstToken(calls, 0.5),
    firstTokenP95Ms: naive.firstToken(calls, 0.95),
    firstTokenP99Ms: naive.firstToken(calls, 0.99),
    totalP50Ms: naive.latency(calls, 0.5),
    totalP95Ms: naive.latency(calls, 0.95),
    totalP99Ms: naive.latency(calls, 0.99),
    tokensPerSecond: naive.speed(calls),
  };
}

type Shown = ReturnType<typeof shown>;

function columns(parts: readonly (readonly InferenceRow[])[]) {
  const all = parts.map(shown);
  const names = Object.keys(shown([])) as (keyof Shown)[];
  return Object.fromEntries(names.map((name) => [name, all.map((values) => values[name])])) as unknown as {
    readonly [Name in keyof Shown]: readonly Shown[Name][];
  };
}

const GROUPS = {
  none: () => "",
  servedModel: naive.answeredBy,
  model: ({ model }) => model,
  key: ({ keyId }) => keyId,
  workload: ({ workload }) => workload,
  deployment: ({ upstream, upstreamModel }) => `${upstream} / ${upstreamModel}`,
} as const satisfies Record<string, (call: InferenceRow) => string>;

function overview(asked: Asked): ReturnType<Page<"overview.figures">> {
  const { window } = asked;
  const group = asked.pick(Object.keys(GROUPS) as (keyof typeof GROUPS)[]);
  const { stepMs } = window;
  const calls = callsIn(asked);
  const completeMs = unitOf(window) === 1 ? window.toMs : naive.floor(window.toMs, HOUR);
  const earlier = { fromMs: window.fromMs - window.periodMs, toMs: completeMs - window.periodMs };
  const before = completeMs > window.fromMs ? callsIn(asked, earlier) : [];
  const refused = refusedIn(asked);
  const saved = SAVING_KINDS.map((kind) => [kind, sum(calls, (call) => call.saved?.[kind])] as const);
  return {
    input: { group },
    output: {
      ...{ fromMs: NO_FIGURE, toMs: NO_FIGURE, stepMs, askedStepMs: stepMs, buckets: NO_FIGURE },
      total: {
        ...{ ...shown(calls), pricedCalls: naive.priced(calls).length },
        saved: Object.fromEntries(saved.filter(([, nanos]) => nanos !== 0)),
      },
      compared: {
        now: shown(completeMs === window.toMs ? calls : calls.filter((call) => naive.timeOf(call) < completeMs)),
        before: shown(before),
      },
      all: columns(inSteps(calls, asked, stepMs)),
      refused: {
        calls: sum(refused, (one) => one.calls),
        series: stepMs < HOUR ? [] : refusedSeries(asked),
      },
      groups: by(calls, GROUPS[group]).map(([key, own]) => ({
        ...{ key, label: NO_FIGURE, columns: columns(inSteps(own, asked, stepMs)) },
      })),
    },
  };
}

function refusedSeries(asked: Asked) {
  const stepMs = Math.max(asked.window.stepMs, HOUR);
  return by(refusedIn(asked), ({ reason }) => reason).map(([reason, own]) => ({
    ...{ isRefused: true, reason },
    calls: steps(asked.window, stepMs).map(({ startMs }) =>
      sum(
        own.filter(({ hour }) => naive.floor(hour * HOUR, stepMs) === startMs),
        (one) => one.calls,
      ),
    ),
  }));
}

/** The same time in whole hours, which is what most pages show. */
function hourly(asked: Asked): Asked {
  const { window } = asked;
  const fromMs = naive.floor(window.fromMs, HOUR);
  return { ...asked, window: { ...window, fromMs, stepMs: Math.max(window.stepMs, HOUR) } };
}

function models(shorter: Asked): ReturnType<Page<"models.compare">> {
  const asked = hourly(shorter);
  const workload = asked.pick([undefined, "support", ""]);
  const isOf = (row: { readonly workload: string }) => workload === undefined || row.workload === workload;
  const calls = callsIn(asked).filter(isOf);
  const names = [...new Set(calls.flatMap((call) => [naive.answeredBy(call), call.model]))];
  const entries = entriesIn(asked).filter((entry) => isOf(entry) && names.includes(entry.servedModel));
  const numbers = entries.filter(({ kind }) => kind !== "note");
  return {
    input: { workload },
    output: {
      ...{ fromMs: NO_FIGURE, toMs: NO_FIGURE },
      models: names.map((model) => {
        const own = calls.filter((call) => naive.answeredBy(call) === model);
        const failures = naive.failed(own).length;
        const paid = naive.priced(own);
        return {
          ...{ model, calls: own.length, share: own.length / calls.length },
          asked: by(own, (call) => call.model).map(([model, calls]) => ({ model, calls: calls.length })),
          askedCalls: calls.filter((call) => call.model === model).length,
          errors: own.length === 0 ? null : { n: own.length, ...naive.share(own.length, failures) },
          costNanosPerCall: paid.length === 0 ? null : naive.cost(paid) / paid.length,
          latency: {
            total: { p50Ms: naive.latency(own, 0.5), p95Ms: naive.latency(own, 0.95), p99Ms: naive.latency(own, 0.99) },
            firstToken: {
              ...{ p50Ms: naive.firstToken(own, 0.5), p95Ms: naive.firstToken(own, 0.95) },
              p99Ms: naive.firstToken(own, 0.99),
            },
          },
          tokensPerSecond: naive.speed(own),
        };
      }),
      metrics: byMetric(numbers).map(({ name, kind, own }) => ({
        ...{ name, kind: kind as "boolean" | "float", optimize: NO_FIGURE, ahead: NO_FIGURE },
        means: by(own, ({ servedModel }) => servedModel).map(([model, values]) => ({
          ...{ model, n: values.length, mean: 0, low: null, high: null },
          ...naive.estimate(values),
        })),
      })),
    },
  };
}

function byMetric(entries: readonly FeedbackEntryRow[]) {
  return by(entries, ({ name, kind }) => JSON.stringify([name, kind])).map(([key, own]) => {
    const [name = "", kind = ""] = JSON.parse(key) as string[];
    return { name, kind, own };
  });
}

function keys(asked: Asked): ReturnType<Page<"keys.usage">> {
  const { toMs } = asked.window;
  const nowMs = Math.max(toMs, Date.now());
  const publicIds = ["keyA", "keyB", "nobody"];
  const calls = callsIn(asked, { fromMs: nowMs - 30 * DAY, toMs: nowMs, unit: HOUR });
  const own = calls.filter(({ keyId }) => publicIds.includes(keyId));
  return {
    input: { publicIds },
    output: {
      days: 30,
      keys: by(own, ({ keyId }) => keyId).map(([publicId, used]) => ({
        ...{ publicId, calls: used.length, tokens: naive.sent(used) + naive.answered(used) },
        costNanos: naive.knownCost(used),
      })),
    },
  };
}

/** The names of a call by each dimension; one that it has not counts nowhere. */
export const DIMENSIONS = {
  key: ({ keyId }) => [keyId],
  model: ({ model }) => [model],
  project: ({ projectId }) => [projectId],
  workload: ({ workload }) => [workload],
  session: ({ sessionId }) => (sessionId === null || sessionId === undefined ? [] : [sessionId]),
  end_user: ({ endUserId }) => (endUserId === null || endUserId === undefined ? [] : [endUserId]),
  tag: ({ tags }) => Object.entries(tags ?? {}).map(([name, value]) => `${name}=${value}`),
} as const satisfies Record<string, (call: InferenceRow) => readonly string[]>;

/** Returns calls by a dimension; one with several tags counts for each. */
export function byDimension(calls: readonly InferenceRow[], dimension: keyof typeof DIMENSIONS) {
  const named = calls.flatMap((call) => DIMENSIONS[dimension](call).map((name) => ({ name, call })));
  return by(named, ({ name }) => name).map(([name, own]) => ({ name, calls: own.map(({ call }) => call) }));
}

/** Returns the cost of shadow trials of whole hours; null without any with a price. */
export function trialCost(
  history: History,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  model?: string,
) {
  const inTime = history.trials.filter(
    ({ atMs, ...trial }) =>
      atMs >= naive.floor(fromMs, HOUR) &&
      atMs < naive.floor(toMs + HOUR - 1, HOUR) &&
      (model ?? trial.model) === trial.model,
  );
  const paid = inTime.filter(({ costNanos }) => costNanos !== null);
  return {
    trials: inTime.filter(({ kind }) => kind === "trial").length,
    checks: inTime.filter(({ kind }) => kind === "check" || kind === "silent").length,
    costNanos: paid.length === 0 ? null : sum(paid, ({ costNanos }) => costNanos),
  };
}

function spend(shorter: Asked): ReturnType<Page<"spend.ranking">> {
  const asked = hourly(shorter);
  const dimension = asked.pick(["key", "model", "workload", "session", "end_user", "tag"] as const);
  const isDaily = dimension === "end_user" || dimension === "tag";
  const { window } = asked;
  const fromMs = isDaily ? naive.floor(window.fromMs, DAY) : window.fromMs;
  const toMs = isDaily ? naive.floor(window.toMs - 1, DAY) + DAY : window.toMs;
  const backMs = isDaily ? toMs - fromMs : window.periodMs;
  const now = callsIn(asked, { fromMs, toMs });
  const before = callsIn(asked, { fromMs: fromMs - backMs, toMs: toMs - backMs });
  const earlier = new Map(byDimension(before, dimension).map(({ name, calls }) => [name, naive.cost(calls)]));
  const groups = byDimension(now, dimension);
  return {
    input: { by: dimension },
    output: {
      ...{ fromMs: NO_FIGURE, toMs: NO_FIGURE, isTooLong: false, rowCount: groups.length },
      rows: groups.map(({ name, calls }) => ({
        ...{ value: name, calls: calls.length, tokens: naive.sent(calls) + naive.answered(calls) },
        ...{ costNanos: naive.cost(calls), isPriced: naive.priced(calls).length > 0 },
        share: naive.cost(now) === 0 ? 0 : naive.cost(calls) / naive.cost(now),
        beforeNanos: earlier.get(name) ?? 0,
      })),
      total: { calls: now.length, tokens: naive.sent(now) + naive.answered(now), costNanos: naive.knownCost(now) },
      unpricedCalls: now.filter(({ costNanos, status }) => costNanos === null && status !== "failed").length,
      before: { calls: before.length, costNanos: naive.cost(before) },
      shadowNanos: trialCost(asked.history, { fromMs, toMs }).costNanos,
    },
  };
}

function errors(asked: Asked): ReturnType<Page<"errors.summary">> {
  const { stepMs } = asked.window;
  const calls = callsIn(asked);
  const failures = naive.failed(calls);
  const seen = within(failures, { ...asked.window, unit: 1 });
  const affected = (idOf: (call: InferenceRow) => string | null | undefined) =>
    by(
      seen.filter((call) => idOf(call)),
      (call) => idOf(call) ?? "",
    ).map(([id, own]) => ({ id, calls: own.length }));
  const [sessions, users] = [affected(({ sessionId }) => sessionId), affected(({ endUserId }) => endUserId)];
  const refused = refusedIn(asked);
  return {
    input: {},
    output: {
      ...{ fromMs: NO_FIGURE, toMs: NO_FIGURE, stepMs: NO_FIGURE, buckets: NO_FIGURE, changes: NO_FIGURE },
      ...{ calls: calls.length, failed: failures.length, refused: sum(refused, (one) => one.calls), read: seen.length },
      series: [
        ...by(failures, ({ errorReason }) => errorReason ?? "").map(([reason, own]) => ({
          ...{ isRefused: false, reason, calls: inSteps(own, asked, stepMs).map(({ length }) => length) },
        })),
        ...(stepMs < HOUR ? [] : refusedSeries(asked)),
      ],
      words: by(seen, ({ errorReason, upstream }) => JSON.stringify([errorReason, upstream])).map(([, own]) => {
        const times = own.map(naive.timeOf);
        const [one] = own;
        return {
          ...{ reason: one?.errorReason ?? "", upstream: one?.upstream ?? "", upstreamStatus: null, upstreamCode: "" },
          ...{ message: "", calls: own.length, firstMs: Math.min(...times), lastMs: Math.max(...times) },
          sessions: new Set(own.flatMap(({ sessionId }) => sessionId ?? [])).size,
          users: new Set(own.flatMap(({ endUserId }) => endUserId ?? [])).size,
          latestId:
            own
              .map(({ id }) => id)
              .sort()
              .at(-1) ?? "",
        };
      }),
      ...{ sessions, sessionCount: sessions.length, users, userCount: users.length },
    },
  };
}

/** The values of a failed call; the model is the one that failed to answer. */
const FAILURES = {
  reason: ({ errorReason }) => errorReason ?? "",
  upstream: ({ upstream }) => upstream,
  model: naive.answeredBy,
  key: ({ keyId }) => keyId,
  user: ({ endUserId }) => endUserId ?? "",
} as const satisfies Record<string, (call: InferenceRow) => string>;
type FailureDimension = keyof typeof FAILURES;

function failures(asked: Asked): ReturnType<Page<"errors.groups">> {
  const dimensions = asked.pick<FailureDimension[]>([["reason"], ["upstream", "model"], ["key", "reason"], ["user"]]);
  const isByUser = dimensions.includes("user");
  const failed = naive.failed(isByUser ? within(asked.history.calls, { ...asked.window, unit: 1 }) : callsIn(asked));
  const groups = by(failed, (call) => JSON.stringify(dimensions.map((dimension) => FAILURES[dimension](call))));
  const refused = dimensions.includes("reason") ? refusedIn(asked) : [];
  const refusedGroups = by(refused, ({ reason, keyId }) =>
    JSON.stringify(dimensions.map((dimension) => (dimension === "reason" ? reason : keyId))),
  );
  const valuesOf = (key: string) =>
    Object.fromEntries((JSON.parse(key) as string[]).map((value, at) => [dimensions[at] ?? "", value]));
  return {
    input: { by: dimensions },
    output: {
      ...{ fromMs: NO_FIGURE, toMs: NO_FIGURE, stepMs: NO_FIGURE, latestCalls: null },
      groupCount: groups.length + refusedGroups.length,
      groups: [
        ...groups.map(([key, own]) => {
          const times = own.map(naive.timeOf);
          const [firstMs, lastMs] = [Math.min(...times), Math.max(...times)];
          return {
            isRefused: false,
            values: valuesOf(key),
            calls: own.length,
            ...{ firstMs, lastMs, firstStepMs: 0, lastStepMs: 0, latestId: NO_FIGURE },
          };
        }),
        ...refusedGroups.map(([key, own]) => {
          const hours = own.map(({ hour }) => hour * HOUR);
          const times = {
            firstMs: Math.min(...hours),
            lastMs: Math.max(...hours),
            firstStepMs: HOUR,
            lastStepMs: HOUR,
          };
          return {
            isRefused: true,
            values: valuesOf(key),
            calls: sum(own, (one) => one.calls),
            ...times,
            latestId: NO_FIGURE,
          };
        }),
      ] as const,
    },
  };
}

/** The owners of budgets, each with one for each window. */
export const BUDGET_OWNERS = [
  { kind: "key", name: "keyA" },
  { kind: "endUser", name: "ada" },
  { kind: "tag", name: "team=search" },
] as const;
export const BUDGETS = { costNanosPerDay: 5000, costNanosPerMonth: 20_000, costNanosTotal: 1_000_000 };

function budgets({ history }: Asked): ReturnType<Page<"spend.budgets">> {
  const now = new Date();
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const WINDOWS = {
    costNanosPerDay: { fromMs: Date.UTC(year, month, day), resetsAtMs: Date.UTC(year, month, day + 1) },
    costNanosPerMonth: { fromMs: Date.UTC(year, month), resetsAtMs: Date.UTC(year, month + 1) },
    costNanosTotal: { fromMs: 0, resetsAtMs: null },
  };
  const NAMES = { key: "key", endUser: "end_user", tag: "tag" } as const;
  return {
    input: {},
    output: {
      budgets: BUDGET_OWNERS.flatMap(({ kind, name }) =>
        Object.entries(BUDGETS).map(([written, limit]) => {
          const rule = written as keyof typeof BUDGETS;
          const { fromMs, resetsAtMs } = WINDOWS[rule];
          const own = within(history.calls, { fromMs, toMs: now.getTime(), unit: DAY }).filter((call) =>
            DIMENSIONS[NAMES[kind]](call).some((value) => value === name),
          );
          const spent = naive.cost(own);
          const left = { leftNanos: Math.max(0, limit - spent), resetsAtMs, reachedAtMs: NO_FIGURE };
          return { kind, name, rule, limit, spent, ...left } as const;
        }),
      ),
    },
  };
}

function workloads(shorter: Asked): ReturnType<Page<"workloads.list">> {
  const asked = hourly(shorter);
  const [calls, entries] = [callsIn(asked), entriesIn(asked)];
  const names = [...new Set([...calls, ...entries].map(({ workload }) => workload))];
  return {
    input: {},
    output: {
      ...{ fromMs: NO_FIGURE, toMs: NO_FIGURE, stepMs: NO_FIGURE, buckets: NO_FIGURE },
      workloads: names.map((workload) => {
        const own = calls.filter((call) => call.workload === workload);
        return {
          ...{ workload, calls: own.length, pricedCalls: naive.priced(own).length, costNanos: naive.knownCost(own) },
          models: by(own, ({ model }) => model).map(([model, used]) => ({ model, calls: used.length })),
          callsByStep: inSteps(own, asked, asked.window.stepMs).map(({ length }) => length),
          metrics: byMetric(entries.filter((entry) => entry.workload === workload)).map(
            ({ own: given, ...metric }) => ({
              ...{ ...metric, entries: given.length, optimize: naive.direction(given) },
            }),
          ),
        };
      }),
    },
  };
}

function feedback(shorter: Asked): ReturnType<Page<"feedback.summary">> {
  const asked = hourly(shorter);
  const metrics = byMetric(entriesIn(asked));
  return {
    input: {},
    output: {
      ...{ fromMs: NO_FIGURE, toMs: NO_FIGURE, stepMs: NO_FIGURE, buckets: NO_FIGURE },
      metrics: metrics.map(describeMetric),
      series: metrics.flatMap(({ own, ...metric }) => {
        const parts = inSteps(own, asked, asked.window.stepMs);
        const means = parts.map((part) => (part.length === 0 ? null : (naive.estimate(part)?.mean ?? null)));
        // What stands before the first step is in none.
        return parts.every(({ length }) => length === 0)
          ? []
          : [{ ...metric, entries: parts.map(({ length }) => length), means }];
      }),
    },
  };
}

function describeMetric({ name, kind, own }: ReturnType<typeof byMetric>[number]) {
  return { name, kind, entries: own.length, optimize: naive.direction(own), estimate: naive.estimate(own) };
}

function metric(shorter: Asked): ReturnType<Page<"feedback.metric">> {
  const asked = hourly(shorter);
  const [name, kind] = asked.pick([
    ["helpful", "boolean"],
    ["helpful", "float"],
    ["score", "float"],
    ["comment", "note"],
  ] as const);
  const own = entriesIn(asked).filter((entry) => entry.name === name && entry.kind === kind);
  const apart = (keyOf: (entry: FeedbackEntryRow) => string) =>
    by(own, keyOf).map(([group, entries]) => ({ ...describeMetric({ name, kind, own: entries }), group }));
  const numbers = kind === "float" ? within(own, { ...asked.window, unit: 1 }) : [];
  return {
    input: { name, kind },
    output: {
      byModel: apart(({ servedModel }) => servedModel),
      byWorkload: apart(({ workload }) => workload),
      distribution: { n: numbers.length, bins: NO_FIGURE },
    },
  };
}

function workloadFigures(calls: readonly InferenceRow[]) {
  const isPriced = naive.priced(calls).length > 0;
  return {
    ...{ calls: calls.length, routedCalls: naive.routed(calls).length, costNanos: naive.knownCost(calls) },
    baseCostNanos: isPriced ? naive.baseCost(calls) : null,
  };
}

function learning(shorter: Asked): ReturnType<Page<"learning.list">> {
  const asked = hourly(shorter);
  const entries = entriesIn(asked);
  return {
    input: {},
    output: {
      ...{ fromMs: NO_FIGURE, toMs: NO_FIGURE, models: NO_FIGURE, metrics: NO_FIGURE, project: NO_FIGURE },
      workloads: by(callsIn(asked), ({ model }) => model).map(([model, own]) => ({
        ...{ model, ...workloadFigures(own), entries: entries.filter((entry) => entry.model === model).length },
        ...{ isServed: NO_FIGURE, mode: NO_FIGURE, pinned: NO_FIGURE, standing: NO_FIGURE, learned: NO_FIGURE },
      })),
    },
  };
}

function workload(shorter: Asked): ReturnType<Page<"learning.read">> | undefined {
  const asked = hourly(shorter);
  const model = "large";
  const calls = callsIn(asked).filter((call) => call.model === model);
  // Without calls there is no such workload.
  if (calls.length === 0) return undefined;
  const trials = trialCost(asked.history, asked.window, model);
  return {
    input: { model },
    output: {
      ...{ model, entries: entriesIn(asked).filter((entry) => entry.model === model).length },
      shadow: trials.trials + trials.checks === 0 ? null : trials,
      usage: {
        ...{ fromMs: NO_FIGURE, toMs: NO_FIGURE, stepMs: NO_FIGURE, buckets: NO_FIGURE, total: workloadFigures(calls) },
        steps: inSteps(calls, asked, asked.window.stepMs).map(workloadFigures),
      },
      ...{ metrics: NO_FIGURE, isServed: NO_FIGURE, models: NO_FIGURE, standing: NO_FIGURE, own: NO_FIGURE },
      ...{ others: NO_FIGURE, isMadeUp: NO_FIGURE, exploring: NO_FIGURE },
      ...{ ofProject: NO_FIGURE, configured: NO_FIGURE, holds: NO_FIGURE, learned: NO_FIGURE, course: NO_FIGURE },
    },
  };
}

/** The pages with sums of calls and feedback. */
export const PAGES = {
  "overview.figures": overview,
  "models.compare": models,
  "keys.usage": keys,
  "spend.ranking": spend,
  "errors.summary": errors,
  "errors.groups": failures,
  "spend.budgets": budgets,
  "workloads.list": workloads,
  "feedback.summary": feedback,
  "feedback.metric": metric,
  "learning.list": learning,
  "learning.read": workload,
} as const satisfies { readonly [Path in QueryPath]?: (asked: Asked) => ReturnType<Page<Path>> | undefined };

/** Queries without sums of calls and feedback in a time: of one call or run, or of no calls. */
type WithoutSums =
  | `${"alerts" | "auditLog" | "datasetRuns" | "datasets" | "endUsers" | "history" | "managed" | "members"}.${string}`
  | `${"playground" | "projectSettings" | "projects" | "quotas" | "rebuilds" | "refusals" | "session"}.${string}`
  | `${"sessions" | "views"}.${string}`
  | `keys.${"list" | "names"}`
  | `learning.${"history" | "outlooks" | "pair"}`
  | `models.${"audits" | "deployments" | "upstreamKeys"}`
  | `feedback.${"entries" | "example" | "notes"}`
  | "overview.names";

/** A further query has no place here, and does not compile until it has a row among the pages. */
export const FORGOTTEN: Readonly<Record<Exclude<QueryPath, keyof typeof PAGES | WithoutSums>, never>> = {};
