import { SAVING_KINDS } from "../../../src/hub/saving-kinds.ts";
import type { FeedbackEntryRow } from "../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import { idAt } from "../../support/rows.ts";
import { errors, failures, refusals, refusedIn, refusedSeries } from "./errors.ts";
import type { History } from "./history.ts";
import * as naive from "./naive.ts";
import { by, DAY, HOUR, type Span, sum, within } from "./naive.ts";
import {
  type Asked,
  callsIn,
  entriesIn,
  hourly,
  inSteps,
  NO_FIGURE,
  type Page,
  type QueryPath,
  unitOf,
} from "./page.ts";
import { request, requests } from "./requests.ts";
import { datasetAnswers, datasetRun, datasets, session, timeline } from "./runs.ts";

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
      fromMs: NO_FIGURE,
      toMs: NO_FIGURE,
      stepMs,
      askedStepMs: stepMs,
      buckets: NO_FIGURE,
      total: {
        ...shown(calls),
        pricedCalls: naive.priced(calls).length,
        saved: Object.fromEntries(saved.filter(([, nanos]) => nanos !== 0)),
      },
      compared: {
        now: shown(completeMs === window.toMs ? calls : calls.filter((call) => naive.timeOf(call) < completeMs)),
        before: shown(before),
      },
      all: columns(inSteps(calls, asked, stepMs)),
      refused: {
        calls: sum(refused, (one) => one.calls),
        series: refusedSeries(asked),
      },
      groups: by(calls, GROUPS[group]).map(([key, own]) => ({
        key,
        label: NO_FIGURE,
        columns: columns(inSteps(own, asked, stepMs)),
      })),
    },
  };
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
      fromMs: NO_FIGURE,
      toMs: NO_FIGURE,
      models: names.map((model) => {
        const own = calls.filter((call) => naive.answeredBy(call) === model);
        const failures = naive.failed(own).length;
        const paid = naive.priced(own);
        return {
          model,
          calls: own.length,
          share: own.length / calls.length,
          asked: by(own, (call) => call.model).map(([model, calls]) => ({ model, calls: calls.length })),
          askedCalls: calls.filter((call) => call.model === model).length,
          errors: own.length === 0 ? null : { n: own.length, ...naive.share(own.length, failures) },
          costNanosPerCall: paid.length === 0 ? null : naive.cost(paid) / paid.length,
          latency: {
            total: { p50Ms: naive.latency(own, 0.5), p95Ms: naive.latency(own, 0.95), p99Ms: naive.latency(own, 0.99) },
            firstToken: {
              p50Ms: naive.firstToken(own, 0.5),
              p95Ms: naive.firstToken(own, 0.95),
              p99Ms: naive.firstToken(own, 0.99),
            },
          },
          tokensPerSecond: naive.speed(own),
        };
      }),
      metrics: byMetric(numbers).map(({ name, kind, own }) => ({
        name,
        kind: kind as "boolean" | "float",
        optimize: NO_FIGURE,
        ahead: NO_FIGURE,
        means: by(own, ({ servedModel }) => servedModel).map(([model, values]) => ({
          model,
          n: values.length,
          mean: 0,
          low: null,
          high: null,
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
        publicId,
        calls: used.length,
        tokens: naive.sent(used) + naive.answered(used),
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

/** Returns the cost of the shadow trials of the units that a time touches; null without any with a price. */
export function trialCost(history: History, span: Span, model?: string) {
  const trials = history.trials.map((trial) => ({ ...trial, id: idAt(new Date(trial.atMs).toISOString(), 0) }));
  const inTime = within(trials, span).filter((trial) => (model ?? trial.model) === trial.model);
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
  const endedMs = Math.min(toMs, naive.floor(Date.now(), isDaily ? DAY : HOUR));
  const hasEnded = endedMs > fromMs;
  const ended = hasEnded ? callsIn(asked, { fromMs, toMs: endedMs }) : [];
  const before = hasEnded ? callsIn(asked, { fromMs: fromMs - backMs, toMs: endedMs - backMs }) : [];
  const costsOf = (calls: readonly InferenceRow[]) =>
    new Map(byDimension(calls, dimension).map((group) => [group.name, naive.cost(group.calls)]));
  const [endedCosts, earlierCosts] = [costsOf(ended), costsOf(before)];
  const groups = byDimension(now, dimension);
  return {
    input: { by: dimension },
    output: {
      fromMs: NO_FIGURE,
      toMs: NO_FIGURE,
      isTooLong: false,
      rowCount: groups.length,
      rows: groups.map(({ name, calls }) => ({
        value: name,
        calls: calls.length,
        tokens: naive.sent(calls) + naive.answered(calls),
        costNanos: naive.cost(calls),
        isPriced: naive.priced(calls).length > 0,
        share: naive.cost(now) === 0 ? 0 : naive.cost(calls) / naive.cost(now),
        endedNanos: endedCosts.get(name) ?? 0,
        beforeNanos: earlierCosts.get(name) ?? 0,
      })),
      total: { calls: now.length, tokens: naive.sent(now) + naive.answered(now), costNanos: naive.knownCost(now) },
      unpricedCalls: now.filter(({ costNanos, status }) => costNanos === null && status !== "failed").length,
      compared: {
        now: { calls: ended.length, costNanos: naive.cost(ended) },
        before: { calls: before.length, costNanos: naive.cost(before) },
      },
      shadowNanos: trialCost(asked.history, { fromMs, toMs, unit: HOUR, hoursSinceMs: asked.hoursSinceMs }).costNanos,
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
      budgetCount: BUDGET_OWNERS.length * Object.keys(BUDGETS).length,
    },
  };
}

function workloads(asked: Asked): ReturnType<Page<"workloads.list">> {
  const [calls, entries] = [callsIn(asked), entriesIn(asked)];
  const names = [...new Set([...calls, ...entries].map(({ workload }) => workload))];
  return {
    input: {},
    output: {
      fromMs: NO_FIGURE,
      toMs: NO_FIGURE,
      stepMs: NO_FIGURE,
      buckets: NO_FIGURE,
      workloads: names.map((workload) => {
        const own = calls.filter((call) => call.workload === workload);
        return {
          workload,
          calls: own.length,
          pricedCalls: naive.priced(own).length,
          costNanos: naive.knownCost(own),
          models: by(own, ({ model }) => model).map(([model, used]) => ({ model, calls: used.length })),
          callsByStep: inSteps(own, asked, asked.window.stepMs).map(({ length }) => length),
          metrics: byMetric(entries.filter((entry) => entry.workload === workload)).map(
            ({ own: given, ...metric }) => ({
              ...metric,
              entries: given.length,
              optimize: naive.direction(given),
            }),
          ),
        };
      }),
    },
  };
}

function feedback(asked: Asked): ReturnType<Page<"feedback.summary">> {
  const metrics = byMetric(entriesIn(asked));
  return {
    input: {},
    output: {
      fromMs: NO_FIGURE,
      toMs: NO_FIGURE,
      stepMs: NO_FIGURE,
      buckets: NO_FIGURE,
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

function metric(asked: Asked): ReturnType<Page<"feedback.metric">> {
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
    calls: calls.length,
    routedCalls: naive.routed(calls).length,
    costNanos: naive.knownCost(calls),
    baseCostNanos: isPriced ? naive.baseCost(calls) : null,
  };
}

function learning(asked: Asked): ReturnType<Page<"learning.list">> {
  const entries = entriesIn(asked);
  return {
    input: {},
    output: {
      fromMs: NO_FIGURE,
      toMs: NO_FIGURE,
      models: NO_FIGURE,
      metrics: NO_FIGURE,
      project: NO_FIGURE,
      workloads: by(callsIn(asked), ({ model }) => model).map(([model, own]) => ({
        model,
        ...workloadFigures(own),
        entries: entries.filter((entry) => entry.model === model).length,
        isServed: NO_FIGURE,
        mode: NO_FIGURE,
        pinned: NO_FIGURE,
        standing: NO_FIGURE,
        learned: NO_FIGURE,
      })),
    },
  };
}

function workload(asked: Asked): ReturnType<Page<"learning.read">> | undefined {
  const model = "large";
  const calls = callsIn(asked).filter((call) => call.model === model);
  // Without calls there is no such workload.
  if (calls.length === 0) return undefined;
  const trials = trialCost(
    asked.history,
    { ...asked.window, unit: unitOf(asked.window), hoursSinceMs: asked.hoursSinceMs },
    model,
  );
  return {
    input: { model },
    output: {
      model,
      entries: entriesIn(asked).filter((entry) => entry.model === model).length,
      shadow: trials.trials + trials.checks === 0 ? null : trials,
      usage: {
        fromMs: NO_FIGURE,
        toMs: NO_FIGURE,
        stepMs: NO_FIGURE,
        buckets: NO_FIGURE,
        total: workloadFigures(calls),
        steps: inSteps(calls, asked, asked.window.stepMs).map(workloadFigures),
      },
      metrics: NO_FIGURE,
      isServed: NO_FIGURE,
      models: NO_FIGURE,
      standing: NO_FIGURE,
      own: NO_FIGURE,
      others: NO_FIGURE,
      isMadeUp: NO_FIGURE,
      exploring: NO_FIGURE,
      ofProject: NO_FIGURE,
      configured: NO_FIGURE,
      holds: NO_FIGURE,
      learned: NO_FIGURE,
      course: NO_FIGURE,
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
  "refusals.list": refusals,
  "sessions.read": session,
  "sessions.timeline": timeline,
  "datasets.list": datasets,
  "datasetRuns.read": datasetRun,
  "datasetRuns.answers": datasetAnswers,
  "history.list": requests,
  "history.request": request,
  "spend.budgets": budgets,
  "workloads.list": workloads,
  "feedback.summary": feedback,
  "feedback.metric": metric,
  "learning.list": learning,
  "learning.read": workload,
} as const satisfies { readonly [Path in QueryPath]?: (asked: Asked) => ReturnType<Page<Path>> | undefined };

/**
 * Queries that show no figure of calls or feedback: settings, names, people, prices, states, and texts of one
 * call. The figures of alerts, which an hour's course makes, have an oracle of their own (../alerts.test.ts).
 */
type WithoutFigures =
  | `alerts.${"deliveries" | "destinations" | "list" | "rules"}`
  | `auditLog.${"exportPlan" | "list"}`
  | `datasetRuns.${"estimate" | "list"}`
  | `datasets.${"exportPlan" | "rows"}`
  | `endUsers.${"deletions" | "exportPlan"}`
  | `feedback.${"entries" | "example" | "notes"}`
  | `history.${"asSent" | "exportPlan" | "facets" | "messages" | "newer" | "part" | "raw" | "sorted"}`
  | `improvements.${"answers" | "offer" | "plan" | "read"}`
  // Counts rows as they are, beside what a deletion of them counts.
  | "endUsers.count"
  | `keys.${"list" | "names"}`
  | `learning.${"history" | "outlooks" | "pair"}`
  | "managed.list"
  | `members.${"invitations" | "list"}`
  | `models.${"audits" | "deployments" | "upstreamKeys"}`
  | "overview.names"
  | `playground.${string}`
  | "projectSettings.read"
  | "projects.deletions"
  | `quotas.${"list" | "read"}`
  | "rebuilds.read"
  | `session.${"current" | "list"}`
  | "sessions.outlines"
  | "views.list";

/** A further query has no place here, and does not compile until it has a row among the pages. */
export const FORGOTTEN: Readonly<Record<Exclude<QueryPath, keyof typeof PAGES | WithoutFigures>, never>> = {};
