import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findBucket } from "../../../../src/figures/histogram.ts";
import { newId } from "../../../../src/lib/ids.ts";
import { transact } from "../../../../src/store/database/executor.ts";
import type { FeedbackEntryRow } from "../../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import { readMeasures } from "../../../../src/store/read/queries/read-measures.ts";
import type { Store } from "../../../../src/store/types/store.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { buildPeriods } from "../../../../src/store/write/rollups/build-periods.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { rebuildRollups } from "../../../support/rebuild-rollups.ts";
import { feedbackRow, idAt, inferenceRow } from "../../../support/rows.ts";

const HOUR = Date.parse("2026-11-21T02:00:00Z") / 3_600_000;
const DAY = Math.floor(HOUR / 24);

async function rollupsOf(store: Store, projectId: string) {
  const tables = store.query();
  const usage = { hour: tables.selectFrom("UsageHour"), day: tables.selectFrom("UsageDay") };
  const feedback = { hour: tables.selectFrom("FeedbackHour"), day: tables.selectFrom("FeedbackDay") };
  return {
    hours: await usage.hour.selectAll().where("projectId", "=", projectId).execute(),
    days: await usage.day.selectAll().where("projectId", "=", projectId).execute(),
    facts: await tables.selectFrom("UsageFactDay").selectAll().where("projectId", "=", projectId).execute(),
    feedbackHours: await feedback.hour.selectAll().where("projectId", "=", projectId).execute(),
    feedbackFacts: await tables.selectFrom("FeedbackFactDay").selectAll().where("projectId", "=", projectId).execute(),
    feedbackDays: await feedback.day.selectAll().where("projectId", "=", projectId).execute(),
  };
}

/** Groups rows and sums them up, with no help from the code under test. */
function groupBy<Row extends object>(
  rows: readonly Row[],
  keyOf: (row: Row) => unknown[],
  sums: ((row: Row) => number)[],
) {
  const groups: Record<string, number[]> = {};
  for (const row of rows) {
    const key = JSON.stringify(keyOf(row));
    groups[key] = sums.map((sum, index) => (groups[key]?.[index] ?? 0) + sum(row));
  }
  return groups;
}

function histogramOf(values: readonly number[]): string {
  const buckets = values.map(findBucket);
  const distinct = [...new Set(buckets)].sort((a, b) => a - b);
  return distinct.map((bucket) => `${bucket}:${buckets.filter((other) => other === bucket).length} `).join("");
}

describe.each(ENGINES)("rollups on %s", (engine) => {
  const databases = useDatabases(engine);

  it("count what an inference has, by hour and by day", async () => {
    const projectId = newId();
    const rows = [
      inferenceRow({
        projectId,
        id: idAt("2026-11-21T02:59:59.999Z", 1),
        streamed: true,
        // Base has answered, and another model below.
        deviation: "best_of_n",
        timeToFirstTokenMs: 100,
        cacheSavedNanos: -700,
        saved: { cacheMarks: 200, hedging: -50, retry: -7, candidates: -6 },
      }),
      inferenceRow({
        projectId,
        id: idAt("2026-11-21T02:00:00.000Z", 2),
        baseCostNanos: 5000,
        usageEstimated: true,
        deviation: "routed",
        cacheSavedNanos: 300,
        saved: { cacheMarks: 100, routing: 3900, coalescing: 1, responseCache: 2, choice: 3, failover: -4 },
      }),
      inferenceRow({
        projectId,
        id: idAt("2026-11-21T01:59:59.999Z", 3),
        deviation: "best_of_n",
        servedModel: "another-model",
        costNanos: null,
        inputTokens: null,
        cacheSavedNanos: null,
      }),
    ];
    await writeBatch(databases.store, { inferences: rows.map(bodiless), feedback: [] });
    const { hours, days } = await rollupsOf(databases.store, projectId);
    const key = {
      projectId,
      keyId: "abcdefghijkl",
      model: "some-model",
      upstream: "anthropic",
      upstreamModel: "real-model",
      workload: "support",
      status: "completed",
      errorReason: "",
      servedModel: "some-model",
    };
    const earlier = {
      ...key,
      servedModel: "another-model",
      period: HOUR - 1,
      calls: 1,
      streamedCalls: 0,
      routedCalls: 1,
      inputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 20,
      reasoningTokens: 0,
      estimatedCalls: 0,
      pricedCalls: 0,
      costNanos: 0,
      baseCostNanos: 0,
      cacheSavedNanos: 0,
      savedCacheMarksNanos: 0,
      savedCoalescingNanos: 0,
      savedResponseCacheNanos: 0,
      savedChoiceNanos: 0,
      savedRoutingNanos: 0,
      savedFailoverNanos: 0,
      savedHedgingNanos: 0,
      savedRetryNanos: 0,
      savedCandidatesNanos: 0,
      latencyMicros: 1_000_000,
      latencies: "104:1 ",
      firstTokenCalls: 0,
      firstTokenMicros: 0,
      firstTokens: "",
    };
    const later = {
      ...key,
      period: HOUR,
      calls: 2,
      streamedCalls: 1,
      routedCalls: 1,
      inputTokens: 20,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 40,
      reasoningTokens: 0,
      estimatedCalls: 1,
      pricedCalls: 2,
      costNanos: 2000,
      baseCostNanos: 6000,
      cacheSavedNanos: -400,
      savedCacheMarksNanos: 300,
      savedCoalescingNanos: 1,
      savedResponseCacheNanos: 2,
      savedChoiceNanos: 3,
      savedRoutingNanos: 3900,
      savedFailoverNanos: -4,
      savedHedgingNanos: -50,
      savedRetryNanos: -7,
      savedCandidatesNanos: -6,
      latencyMicros: 2_000_000,
      latencies: "104:2 ",
      firstTokenCalls: 1,
      firstTokenMicros: 100_000,
      firstTokens: "78:1 ",
    };
    expect(hours).toEqual([earlier, later]);
    const sorted = (rows: typeof days) => rows.toSorted((a, b) => a.servedModel.localeCompare(b.servedModel));
    expect(sorted(days)).toEqual(sorted([earlier, later]).map((row) => ({ ...row, period: DAY })));
  });

  it("count what feedback says", async () => {
    const projectId = newId();
    const entries = [
      feedbackRow({ projectId, id: idAt("2026-11-21T02:10:00Z", 1), floatValue: 0.5 }),
      feedbackRow({ projectId, id: idAt("2026-11-21T02:20:00Z", 2), floatValue: 2, optimize: "min" }),
      feedbackRow({
        projectId,
        id: idAt("2026-11-21T02:30:00Z", 3),
        kind: "boolean",
        floatValue: null,
        booleanValue: true,
      }),
      feedbackRow({
        projectId,
        id: idAt("2026-11-21T03:30:00Z", 4),
        kind: "boolean",
        floatValue: null,
        booleanValue: false,
      }),
    ];
    await writeBatch(databases.store, { inferences: [], feedback: entries });
    const { feedbackHours, feedbackDays } = await rollupsOf(databases.store, projectId);
    const key = {
      projectId,
      model: "some-model",
      servedModel: "some-model",
      workload: "support",
      name: "quality",
      callKeyId: "",
    };
    const floats = {
      ...key,
      kind: "float",
      entries: 2,
      sum: 2.5,
      sumOfSquares: 4.25,
      trueEntries: 0,
      maximised: 1,
      minimised: 1,
    };
    const one = {
      ...key,
      kind: "boolean",
      entries: 1,
      sum: 1,
      sumOfSquares: 1,
      trueEntries: 1,
      maximised: 1,
      minimised: 0,
    };
    expect(feedbackHours).toEqual([
      { ...one, period: HOUR },
      { ...floats, period: HOUR },
      { ...one, period: HOUR + 1, sum: 0, sumOfSquares: 0, trueEntries: 0 },
    ]);
    expect(feedbackDays).toEqual([
      { ...one, period: DAY, entries: 2, maximised: 2, leastValue: 0, greatestValue: 1 },
      { ...floats, period: DAY, leastValue: 0.5, greatestValue: 2 },
    ]);
  });

  it("count feedback by the key, the end user and the tags of its call, written beside it or before", async () => {
    const projectId = newId();
    const rows = ["a", "b"].map((keyId) =>
      inferenceRow({ projectId, keyId, endUserId: "ann", tags: { team: "search", env: keyId } }),
    );
    const [one, two] = rows as [InferenceRow, InferenceRow];
    const say = (inferenceId: string, booleanValue: boolean | null, second: number) =>
      feedbackRow({
        projectId,
        inferenceId,
        id: idAt(`2026-11-21T02:10:0${second}Z`, second),
        booleanValue,
        ...(booleanValue === null ? {} : { kind: "boolean", floatValue: null }),
      });
    await writeBatch(databases.store, { inferences: [bodiless(one)], feedback: [say(one.id, true, 1)] });
    await writeBatch(databases.store, { inferences: [bodiless(two)], feedback: [] });
    const later = [say(one.id, false, 2), say(two.id, null, 3), say(newId(), true, 4)];
    await writeBatch(databases.store, { inferences: [], feedback: later });
    const { feedbackFacts, feedbackDays } = await rollupsOf(databases.store, projectId);
    const told = feedbackFacts.map(({ kind, keyId, name, entries, booleans, trueEntries }) =>
      [kind, keyId, name, entries, booleans, trueEntries].join(" "),
    );
    expect(told.sort()).toEqual([
      ...["end_user a ann 2 2 1", "end_user b ann 1 0 0", "tag a env=a 2 2 1", "tag a team=search 2 2 1"],
      ...["tag b env=b 1 0 0", "tag b team=search 1 0 0"],
    ]);
    const keys = feedbackDays.map(({ callKeyId, kind, entries }) => `${callKeyId} ${kind} ${entries}`);
    expect(keys.sort()).toEqual([" boolean 1", "a boolean 2", "b float 1"]);
  });

  it("are what grouping the rows gives, whatever is written twice, in which order, and at once", async () => {
    const batches = fc.array(fc.array(fc.nat(29), { maxLength: 20 }), { minLength: 1, maxLength: 6 });
    const seeds = fc.array(fc.record({ model: fc.nat(2), status: fc.nat(1), minute: fc.nat(180), ms: fc.nat(5000) }), {
      minLength: 30,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(seeds, batches, async (facts, orders) => {
        const projectId = newId();
        const start = Date.parse("2026-11-20T22:30:00Z") + Math.floor(Math.random() * 1e6);
        const inferences = facts.map(({ model, status, minute, ms }, index) => {
          const startedAt = new Date(start + minute * 60_000);
          const id = `${idAt(startedAt.toISOString(), index).slice(0, 24)}${newId().slice(24)}`;
          return inferenceRow({
            projectId,
            id,
            startedAt,
            model: `m${model}`,
            status: status === 0 ? "completed" : "failed",
            latencyMs: ms,
            costNanos: ms * 1000,
            timeToFirstTokenMs: ms % 2 === 0 ? ms / 2 : null,
          });
        });
        const feedback = inferences.map(({ id, model, startedAt, latencyMs }) =>
          feedbackRow({
            projectId,
            inferenceId: id,
            model,
            id: newIdAt(startedAt),
            createdAt: startedAt,
            floatValue: latencyMs,
          }),
        );
        await Promise.all(
          orders.map((order) =>
            writeBatch(databases.store, {
              inferences: order.flatMap((index) => inferences[index] ?? []).map(bodiless),
              feedback: order.flatMap((index) => feedback[index] ?? []),
            }),
          ),
        );
        const written = new Set(orders.flat());
        await expectGroups(databases.store, {
          projectId,
          inferences: inferences.filter((_, index) => written.has(index)),
          feedback: feedback.filter((_, index) => written.has(index)),
        });
      }),
      { numRuns: 25 },
    );
  });

  it("have whole weeks once these are over, with what is written before, after and while they are made", async () => {
    const { store } = databases;
    const project = { id: newId(), name: "weeks", createdAt: new Date() };
    await store.query().insertInto("Project").values(project).execute();
    const rows = Array.from({ length: 240 }, (_, index) => {
      const startedAt = new Date(Date.parse("2026-01-20T00:00:00Z") + index * 6 * 3_600_000);
      const facts = { latencyMs: index * 13, costNanos: index * 1000, model: `m${index % 3}` };
      return inferenceRow({ ...facts, projectId: project.id, id: newIdAt(startedAt), startedAt });
    });
    const write = (from: number) =>
      writeBatch(store, { inferences: rows.filter((_, index) => index % 4 === from).map(bodiless), feedback: [] });
    const build = (time: string) => buildPeriods(store, new Date(time));
    await write(0);
    // The second week was over less than a day ago.
    expect(await build("2026-02-02T23:00:00Z")).toBe(1);
    await Promise.all([write(1), build("2026-02-03T01:00:00Z"), write(2), build("2026-02-03T01:00:00Z")]);
    await write(3);
    expect(await build("2026-02-03T01:00:00Z")).toBe(0);
    const weeks = store.query().selectFrom("UsageWeek").selectAll().where("projectId", "=", project.id);
    const found = await weeks.orderBy("period").orderBy("model").execute();
    // The week of January 19 is number 2924 since the first Monday of 1970.
    const expected = [2924, 2925].flatMap((period) =>
      ["m0", "m1", "m2"].map((model) => {
        const same = rows.filter((row) => row.model === model && weekOf(row.startedAt) === period);
        const costNanos = same.reduce((sum, row) => sum + (row.costNanos ?? 0), 0);
        return {
          period,
          model,
          calls: same.length,
          costNanos,
          latencies: histogramOf(same.map((row) => row.latencyMs)),
        };
      }),
    );
    expect(
      found.map(({ period, model, calls, costNanos, latencies }) => ({ period, model, calls, costNanos, latencies })),
    ).toEqual(expected);
  });

  it("take sums of costs that no column holds", async () => {
    const { store } = databases;
    const projectId = newId();
    const largest = Number.MAX_SAFE_INTEGER;
    for (let batch = 0; batch < 3; batch += 1) {
      const rows = Array.from({ length: 600 }, (_, index) =>
        inferenceRow({
          projectId,
          id: newIdAt(new Date(Date.parse("2026-02-01T00:00:00Z") + index)),
          costNanos: largest,
          baseCostNanos: largest,
        }),
      );
      await writeBatch(store, { inferences: rows.map(bodiless), feedback: [] });
    }
    const range = { from: new Date("2026-02-01T00:00:00Z"), to: new Date("2026-02-02T00:00:00Z") };
    const [usage] = await readMeasures(store, {
      projectId,
      range,
      bucket: "none",
      by: [],
      measures: ["calls", "cost"],
    });
    expect(usage?.values.calls).toBe(1800);
    // 1800 times 2^53 is beyond 2^63, at which PostgreSQL stops.
    expect(usage?.values.cost).toBeGreaterThanOrEqual(2 ** 63);
  });

  it("are the same when they are built anew", async () => {
    const { store } = databases;
    const projectId = newId();
    const rows = Array.from({ length: 30 }, (_, index) =>
      inferenceRow({ projectId, latencyMs: index * 7, endUserId: `user ${index % 3}`, tags: { team: "search" } }),
    );
    const entries = rows.map(({ id }) => feedbackRow({ projectId, inferenceId: id }));
    await writeBatch(store, { inferences: rows.map(bodiless), feedback: entries });
    const before = await rollupsOf(store, projectId);
    expect(before.facts.length).toBeGreaterThanOrEqual(4);
    await transact(store, (execute) => rebuildRollups(execute, engine, store.fork()));
    expect(await rollupsOf(store, projectId)).toEqual(before);
  });
});

function weekOf(time: Date): number {
  return Math.floor((time.getTime() - Date.parse("1970-01-05T00:00:00Z")) / (7 * 86_400_000));
}

function bodiless(row: InferenceRow) {
  return { row, attempts: [], request: undefined, response: undefined };
}

function newIdAt(time: Date): string {
  return `${idAt(time.toISOString(), 0).slice(0, 24)}${newId().slice(24)}`;
}

interface Written {
  readonly projectId: string;
  readonly inferences: readonly InferenceRow[];
  readonly feedback: readonly FeedbackEntryRow[];
}

async function expectGroups(store: Store, { projectId, inferences, feedback }: Written): Promise<void> {
  const found = await rollupsOf(store, projectId);
  for (const [rollups, lengthMs] of [[found.hours, 3_600_000] as const, [found.days, 86_400_000] as const]) {
    const periodOf = ({ startedAt }: InferenceRow) => Math.floor(startedAt.getTime() / lengthMs);
    const expected = groupBy(inferences, (row) => [periodOf(row), row.model, row.status], [
      () => 1,
      ({ costNanos }) => costNanos ?? 0,
      ({ latencyMs }) => latencyMs * 1000,
    ]);
    const groups = rollups.map(({ period, model, status, calls, costNanos, latencyMicros }) => [
      JSON.stringify([period, model, status]),
      [calls, costNanos, latencyMicros],
    ]);
    expect(Object.fromEntries(groups)).toEqual(expected);
    expect(groups.length).toBe(Object.keys(expected).length);
    for (const { period, model, status, latencies, firstTokens } of rollups) {
      const same = inferences.filter((row) => periodOf(row) === period && row.model === model && row.status === status);
      expect(latencies).toBe(histogramOf(same.map(({ latencyMs }) => latencyMs)));
      expect(firstTokens).toBe(histogramOf(same.flatMap(({ timeToFirstTokenMs }) => timeToFirstTokenMs ?? [])));
    }
  }
  for (const [rollups, lengthMs] of [
    [found.feedbackHours, 3_600_000] as const,
    [found.feedbackDays, 86_400_000] as const,
  ]) {
    const expected = groupBy(feedback, ({ createdAt, model }) => [Math.floor(createdAt.getTime() / lengthMs), model], [
      () => 1,
      ({ floatValue }) => floatValue ?? 0,
      ({ floatValue }) => (floatValue ?? 0) ** 2,
    ]);
    const groups = rollups.map(({ period, model, entries, sum, sumOfSquares }) => [
      JSON.stringify([period, model]),
      [entries, sum, sumOfSquares],
    ]);
    expect(Object.fromEntries(groups)).toEqual(expected);
  }
}
