import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import type { FeedbackEntryRow } from "../../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import { compareModels } from "../../../../src/store/read/queries/compare-models.ts";
import { readFacets } from "../../../../src/store/read/queries/facets.ts";
import { listFeedback } from "../../../../src/store/read/queries/list-feedback.ts";
import { type InferenceListQuery, listInferences } from "../../../../src/store/read/queries/list-inferences.ts";
import { readMetrics } from "../../../../src/store/read/queries/metrics.ts";
import { type CallDimension, readMeasures } from "../../../../src/store/read/queries/read-measures.ts";
import { readInferenceWithFeedback } from "../../../../src/store/read/read-inference.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../../support/rows.ts";

const range = { from: new Date("2026-01-30T05:30:00Z"), to: new Date("2026-03-02T03:10:00Z") };

describe.each(ENGINES)("queries on %s", (engine) => {
  const databases = useDatabases(engine);

  async function write(inferences: readonly InferenceRow[], feedback: readonly FeedbackEntryRow[] = []): Promise<void> {
    const bodiless = inferences.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
    await writeBatch(databases.store, { inferences: bodiless, feedback });
  }

  /** Calls at times that lie in hours, days and weeks at the rims of the range, the model telling which. */
  async function callsAround(): Promise<string> {
    const projectId = newId();
    const times: [string, string][] = [
      ["2026-01-30T04:59:59Z", "before"],
      ["2026-01-30T05:00:00Z", "a"],
      ["2026-01-31T23:00:00Z", "a"],
      ["2026-02-01T00:00:00Z", "b"],
      ["2026-02-01T13:00:00Z", "a"],
      ["2026-03-02T03:59:59Z", "b"],
      ["2026-03-02T04:00:00Z", "after"],
    ];
    await write(times.map(([time, model], index) => inferenceRow({ projectId, model, id: idAt(time, index) })));
    return projectId;
  }

  it("read usage by hour, day and week, of whole hours only", async () => {
    const projectId = await callsAround();
    const callsBy = async (bucket: "hour" | "day" | "week" | "none", ...by: readonly CallDimension[]) => {
      const rows = await readMeasures(databases.store, { projectId, range, bucket, by, measures: ["calls"] });
      return rows.map(({ start, group, values }) => [start?.toISOString(), ...group, values.calls]);
    };
    expect(await callsBy("hour")).toEqual([
      ["2026-01-30T05:00:00.000Z", 1],
      ["2026-01-31T23:00:00.000Z", 1],
      ["2026-02-01T00:00:00.000Z", 1],
      ["2026-02-01T13:00:00.000Z", 1],
      ["2026-03-02T03:00:00.000Z", 1],
    ]);
    expect(await callsBy("day")).toEqual([
      ["2026-01-30T00:00:00.000Z", 1],
      ["2026-01-31T00:00:00.000Z", 1],
      ["2026-02-01T00:00:00.000Z", 2],
      ["2026-03-02T00:00:00.000Z", 1],
    ]);
    // The first of February is a Sunday, the second of March a Monday.
    expect(await callsBy("week", "model")).toEqual([
      ["2026-01-26T00:00:00.000Z", "a", 3],
      ["2026-01-26T00:00:00.000Z", "b", 1],
      ["2026-03-02T00:00:00.000Z", "b", 1],
    ]);
    expect(await callsBy("none")).toEqual([[undefined, 5]]);
  });

  it("read every sum of usage, and nothing where there is nothing", async () => {
    const projectId = newId();
    const sums = ["inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens", "reasoningTokens"] as const;
    const others = ["calls", "routed.calls", "priced.calls", "cost", "baseCost", "tokens"] as const;
    const measures = [...sums, ...others];
    const query = { projectId, range, bucket: "none", by: ["upstream", "upstreamModel"], measures } as const;
    expect(await readMeasures(databases.store, { ...query, by: [] })).toEqual([]);
    const facts = { projectId, cacheReadTokens: 3, cacheWriteTokens: 4, reasoningTokens: 5, baseCostNanos: 7000 };
    // In two parts of the range: an hour, and a day.
    await write([
      inferenceRow({ ...facts, id: idAt("2026-01-30T06:00:00Z", 1) }),
      inferenceRow({ ...facts, id: idAt("2026-02-01T00:00:00Z", 2) }),
    ]);
    const expected = {
      inputTokens: 20,
      cacheReadTokens: 6,
      cacheWriteTokens: 8,
      outputTokens: 40,
      reasoningTokens: 10,
      calls: 2,
      "routed.calls": 0,
      "priced.calls": 2,
      cost: 2000,
      baseCost: 14_000,
      tokens: 74,
    };
    const group = { start: undefined, group: ["anthropic", "real-model"] };
    expect(await readMeasures(databases.store, query)).toEqual([{ ...group, values: expected }]);
    expect(await readMeasures(databases.store, { ...query, filter: { key: "another" } })).toEqual([]);
    // However often a measure is named.
    const twice = await readMeasures(databases.store, { ...query, measures: ["calls", "calls", "tokens", "calls"] });
    expect(twice).toEqual([{ ...group, values: { calls: 2, tokens: 74 } }]);
  });

  it("read percentiles that are right to 4.5 percent", async () => {
    const projectId = newId();
    const rows = Array.from({ length: 100 }, (_, index) =>
      inferenceRow({
        projectId,
        id: idAt("2026-02-01T00:00:10Z", index),
        latencyMs: (index + 1) * 10,
        timeToFirstTokenMs: index < 10 ? 5 : null,
      }),
    );
    await write(rows);
    const [{ figures } = {}] = await compareModels(databases.store, { projectId, range });
    const isNear = (measure: keyof NonNullable<typeof figures>, ms: number) =>
      expect(Math.abs((figures?.[measure] ?? 0) - ms) / ms).toBeLessThan(0.045);
    isNear("completed.latency.p50", 500);
    isNear("completed.latency.p95", 950);
    isNear("completed.latency.p99", 990);
    isNear("completed.firstToken.p95", 5);
  });

  it("compare the models of a workload", async () => {
    const projectId = newId();
    const at = (index: number) => idAt("2026-02-01T10:00:00Z", index);
    const a = [0, 1, 2].map((index) => inferenceRow({ projectId, id: at(index), model: "a" }));
    const failed = inferenceRow({
      projectId,
      id: at(3),
      model: "b",
      status: "failed",
      costNanos: null,
      baseCostNanos: null,
    });
    const other = inferenceRow({ projectId, id: at(4), model: "a", workload: "other" });
    const scores = [5, 7].map((floatValue, index) =>
      feedbackRow({ projectId, id: at(10 + index), model: "a", floatValue }),
    );
    await write([...a, failed, other], scores);
    const [first, second, ...more] = await compareModels(databases.store, { projectId, range, workload: "support" });
    expect(first).toMatchObject({ model: "a", figures: { calls: 3, "priced.cost.mean": 1000 }, share: 0.75 });
    // Each has 20 tokens, and took a second.
    expect(first?.figures["completed.tokensPerSecond"]).toBe(20);
    expect(first?.metrics).toEqual([
      {
        start: undefined,
        group: "a",
        name: "quality",
        kind: "float",
        entries: 2,
        optimize: "max",
        // Two values 2 apart: 12.7062 times 1 on both sides.
        estimate: { n: 2, mean: 6, low: expect.closeTo(-6.7062, 4), high: expect.closeTo(18.7062, 4) },
      },
    ]);
    expect(second).toMatchObject({
      model: "b",
      figures: { calls: 1, "priced.cost.mean": null, "completed.latency.p50": null },
      share: 0.25,
      errors: { n: 1, mean: 1, low: expect.closeTo(0.2065, 4), high: 1 },
      metrics: [],
      asked: [{ model: "b", calls: 1 }],
      askedCalls: 1,
    });
    expect(more).toEqual([]);
  });

  it("read the share of booleans with Wilson's interval, and no mean of notes", async () => {
    const projectId = newId();
    const values = [true, true, true, false];
    const booleans = values.map((booleanValue, index) =>
      feedbackRow({
        projectId,
        id: idAt("2026-02-01T00:00:00Z", index),
        kind: "boolean",
        name: "helpful",
        booleanValue,
        floatValue: null,
      }),
    );
    const note = { kind: "note", name: "comment", floatValue: null, textValue: "ok", optimize: null };
    await write([], [...booleans, feedbackRow({ projectId, id: idAt("2026-02-01T00:00:00Z", 9), ...note })]);
    const metrics = await readMetrics(databases.store, { projectId, range, bucket: "none", group: "none" });
    expect(metrics).toEqual([
      {
        start: undefined,
        group: undefined,
        name: "comment",
        kind: "note",
        entries: 1,
        estimate: undefined,
        optimize: undefined,
      },
      {
        start: undefined,
        group: undefined,
        name: "helpful",
        kind: "boolean",
        entries: 4,
        optimize: "max",
        estimate: { n: 4, mean: 0.75, low: expect.closeTo(0.30064, 4), high: expect.closeTo(0.95441, 4) },
      },
    ]);
  });

  it("read what can be filtered by", async () => {
    const projectId = newId();
    await write(
      [inferenceRow({ projectId, model: "b" }), inferenceRow({ projectId, model: "a", keyId: "k", status: "failed" })],
      [feedbackRow({ projectId })],
    );
    expect(await readFacets(databases.store, { projectId })).toEqual({
      models: ["a", "b"],
      workloads: ["support"],
      statuses: ["completed", "failed"],
      metrics: ["quality"],
    });
  });

  it("read what can be filtered by in a time, with what was said later", async () => {
    const projectId = newId();
    const at = (time: string, model: string) => inferenceRow({ projectId, model, id: idAt(time, 1) });
    await write(
      [at("2026-11-19T23:59:59Z", "a"), at("2026-11-20T10:00:00Z", "b"), at("2026-11-21T00:00:00Z", "c")],
      [
        feedbackRow({ projectId, name: "before", id: idAt("2026-11-19T12:00:00Z", 2) }),
        feedbackRow({ projectId, name: "later", id: idAt("2026-11-25T12:00:00Z", 3) }),
      ],
    );
    const read = async (from: string | undefined, to: string | undefined) => {
      const toDate = (time: string | undefined) => (time === undefined ? undefined : new Date(time));
      const query = { projectId, from: toDate(from), to: toDate(to) };
      const { models, metrics } = await readFacets(databases.store, query);
      return [models, metrics];
    };
    expect(await read("2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z")).toEqual([["b"], ["later"]]);
    expect(await read(undefined, "2026-11-20T00:00:00Z")).toEqual([["a"], ["before", "later"]]);
    expect(await read("2026-11-20T12:00:00Z", undefined)).toEqual([["b", "c"], ["later"]]);
    expect(await read("1969-01-01T00:00:00Z", "2999-01-01T00:00:00Z")).toEqual([
      ["a", "b", "c"],
      ["before", "later"],
    ]);
  });

  it("list inferences by any filters, page by page, the newest first", async () => {
    const projectId = newId();
    // One every seven hours: 120 in five weeks, every tenth of them failed, every third of model b.
    const rows = Array.from({ length: 120 }, (_, index) =>
      inferenceRow({
        projectId,
        id: idAt(new Date(Date.parse("2026-01-01T00:00:00Z") + index * 7 * 3_600_000).toISOString(), index),
        status: index % 10 === 0 ? "failed" : "completed",
        model: index % 3 === 0 ? "b" : "a",
      }),
    );
    await write(rows);
    const all = async (query: Partial<InferenceListQuery>) => {
      const found: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await listInferences(databases.store, { projectId, limit: 5, ...query, cursor });
        found.push(...page.rows.map(({ id }) => Number(id.slice(-12))));
        cursor = page.next;
      } while (cursor !== undefined);
      return found;
    };
    const numbers = rows.map((_, index) => 119 - index);
    expect(await all({})).toEqual(numbers);
    expect(await all({ filter: { status: "failed" } })).toEqual(numbers.filter((index) => index % 10 === 0));
    expect(await all({ filter: { status: "failed", model: "b" } })).toEqual([90, 60, 30, 0]);
    const span = { from: new Date("2026-01-10T00:00:00Z"), to: new Date("2026-01-20T00:00:00Z") };
    // Hours 216 to before 456: the numbers 31 to 65.
    expect(await all(span)).toEqual(numbers.filter((index) => index >= 31 && index <= 65));
    expect(await all({ ...span, filter: { model: "b" } })).toEqual([63, 60, 57, 54, 51, 48, 45, 42, 39, 36, 33]);
    expect(await all({ filter: { workload: "unknown" } })).toEqual([]);
  });

  it("list inferences by their feedback", async () => {
    const projectId = newId();
    const rows = Array.from({ length: 30 }, (_, index) =>
      inferenceRow({ projectId, id: idAt("2026-02-01T00:00:20Z", index), model: index < 20 ? "a" : "b" }),
    );
    const feedback = rows.flatMap(({ id }, index) => [
      feedbackRow({
        projectId,
        inferenceId: id,
        model: index === 3 ? "" : index === 5 ? "b" : index < 20 ? "a" : "b",
        floatValue: index,
        tags: { parity: index % 2 === 0 ? "even" : "odd" },
      }),
      feedbackRow({
        projectId,
        inferenceId: id,
        name: "ok",
        kind: "boolean",
        floatValue: null,
        booleanValue: index === 7,
      }),
    ]);
    await write(rows, feedback);
    const list = async (query: Partial<InferenceListQuery>) => {
      const { rows: found } = await listInferences(databases.store, { projectId, limit: 4, ...query });
      return found.map(({ id }) => Number(id.slice(-12)));
    };
    expect(await list({ tag: { key: "parity", value: "even" } })).toEqual([28, 26, 24, 22]);
    expect(await list({ tag: { key: "parity", value: "even" }, filter: { model: "a" } })).toEqual([18, 16, 14, 12]);
    // The feedback on number 3 does not know its model; that on number 5 says another one than its inference.
    expect(await list({ tag: { key: "parity", value: "odd" }, filter: { model: "a" }, cursor: rows[6]?.id })).toEqual([
      3, 1,
    ]);
    const low = { name: "quality", compare: "<", value: 3.5 } as const;
    expect(await list({ metric: low, filter: { model: "a", workload: "support" } })).toEqual([3, 2, 1, 0]);
    expect(await list({ metric: { name: "quality", compare: "<", value: 2 } })).toEqual([1, 0]);
    expect(await list({ metric: { name: "ok", compare: "=", value: 1 } })).toEqual([7]);
    const both = {
      tag: { key: "parity", value: "odd" },
      metric: { name: "quality", compare: ">", value: 24 },
    } as const;
    expect(await list(both)).toEqual([29, 27, 25]);
    expect(await list({ ...both, cursor: rows[27]?.id })).toEqual([25]);
  });

  it("list feedback, and read one inference with its own", async () => {
    const projectId = newId();
    const inference = inferenceRow({ projectId });
    const entries = Array.from({ length: 5 }, (_, index) =>
      feedbackRow({ projectId, inferenceId: inference.id, name: index % 2 === 0 ? "even" : "odd" }),
    );
    await write([inference], entries);
    const page = await listFeedback(databases.store, { projectId, limit: 2 });
    expect(page).toEqual({ rows: [entries[4], entries[3]], next: entries[3]?.id });
    const odd = await listFeedback(databases.store, { projectId, limit: 2, filter: { name: "odd" } });
    expect(odd).toEqual({ rows: [entries[3], entries[1]], next: undefined });
    const found = await readInferenceWithFeedback(databases.store, projectId, inference.id);
    expect(found).toEqual({ row: inference, body: undefined, feedback: entries, hasEarlierFeedback: false });
    expect(await readInferenceWithFeedback(databases.store, newId(), inference.id)).toBeUndefined();
  });

  it("leave out what is said of candidates that were not given, but for the inference itself", async () => {
    const projectId = newId();
    const rows = [0, 1].map((index) => inferenceRow({ projectId, id: idAt("2026-02-01T00:00:00Z", index) }));
    const on = (index: number, attempt: number | null, floatValue: number, second: number) =>
      feedbackRow({
        projectId,
        id: idAt("2026-02-01T00:01:00Z", second),
        inferenceId: rows[index]?.id ?? "",
        attempt,
        floatValue,
        tags: { who: attempt === null ? "client" : "reviewer" },
      });
    const entries = [on(0, null, 1, 0), on(0, 2, 9, 1), on(1, 1, 9, 2)];
    await write(rows, entries);
    const { store } = databases;
    const list = async (query: Partial<InferenceListQuery>) =>
      (await listInferences(store, { projectId, limit: 4, ...query })).rows.map(({ id }) => id);
    expect(await list({ metric: { name: "quality", compare: "=", value: 9 } })).toEqual([]);
    expect(await list({ metric: { name: "quality", compare: "=", value: 1 } })).toEqual([rows[0]?.id]);
    expect(await list({ tag: { key: "who", value: "reviewer" } })).toEqual([]);
    expect((await listFeedback(store, { projectId, limit: 4 })).rows).toEqual([entries[0]]);
    const metrics = await readMetrics(store, { projectId, range, bucket: "none", group: "none" });
    expect(metrics.map(({ entries: count, estimate }) => [count, estimate?.mean])).toEqual([[1, 1]]);
    const found = await readInferenceWithFeedback(store, projectId, rows[0]?.id ?? "");
    expect(found?.feedback).toEqual(entries.slice(0, 2));
  });

  it("read no more than the latest 500 entries of feedback on one inference, and say so", async () => {
    const projectId = newId();
    const inference = inferenceRow({ projectId });
    const entries = Array.from({ length: 501 }, () => feedbackRow({ projectId, inferenceId: inference.id }));
    await write([inference], entries);
    const found = await readInferenceWithFeedback(databases.store, projectId, inference.id);
    expect(found?.hasEarlierFeedback).toBe(true);
    expect(found?.feedback).toEqual(entries.slice(1));
  });

  it("refuse limits, cursors and tags beyond their bounds", async () => {
    const list = (query: Partial<InferenceListQuery>) =>
      listInferences(databases.store, { projectId: newId(), limit: 5, ...query });
    await expect(list({ limit: 0 })).rejects.toThrow("limit: must be a whole number from 1 to 500; it is 0");
    await expect(list({ cursor: "x" })).rejects.toThrow("cursor: must be the id of a row");
    await expect(list({ tag: { key: "k", value: "v".repeat(201) } })).rejects.toThrow("at most 200 characters");
  });
});
