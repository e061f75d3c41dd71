import { describe, expect, it } from "vitest";
import {
  findUsageProblem,
  MOST_SESSION_CALLS,
  NO_FEEDBACK,
  NO_FIGURES,
  REPORT_ROWS,
  USAGE_DIMENSIONS,
  type UsageQuery,
} from "../../../src/figures/usage.ts";
import { newId } from "../../../src/lib/ids.ts";
import type { FeedbackEntryRow } from "../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import { addFeedback, readSpend, readUsageReport } from "../../../src/store/usage/read-usage-report.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../support/rows.ts";
import { shadowRecord } from "../../support/shadow-record.ts";

const TIME = "2026-11-20T12:30:00.000Z";
const RANGE = { from: new Date("2026-11-20T12:00:00Z"), to: new Date("2026-11-20T13:00:00Z") };

describe.each(ENGINES)("readUsageReport() on %s", (engine) => {
  const databases = useDatabases(engine);

  async function write(projectId: string, calls: readonly Partial<InferenceRow>[]): Promise<void> {
    await writeBatch(databases.store, {
      inferences: calls.map((changes, index) => ({
        row: inferenceRow({ startedAt: new Date(TIME), id: idAt(TIME, index), ...changes, projectId }),
        attempts: [],
        request: undefined,
        response: undefined,
      })),
      feedback: [],
    });
  }

  it("adds up calls by each combination of dimensions, and all of them", async () => {
    const projectId = newId();
    const tokens = { inputTokens: 10, outputTokens: 5, reasoningTokens: 2, costNanos: 700, latencyMs: 100 };
    await write(projectId, [
      { id: newIdAt(1), keyId: "a", model: "m", workload: "w", status: "completed", ...tokens },
      {
        id: newIdAt(2),
        keyId: "a",
        model: "m",
        workload: "v",
        status: "failed",
        ...tokens,
        costNanos: null,
        latencyMs: 9e5,
      },
      { id: newIdAt(3), keyId: "a", model: "n", workload: "w", status: "completed", ...tokens },
      { id: newIdAt(4), keyId: "b", model: "m", workload: "w", status: "completed", usageEstimated: true, ...tokens },
    ]);
    const read = (groupBy: Parameters<typeof readUsageReport>[1]["groupBy"], keyId?: string) =>
      readUsageReport(databases.store, { projectId, ...RANGE, groupBy, keyId });
    const { groups, total } = await read(["key", "model"]);
    expect(groups.map(({ values, figures }) => [...values, figures.calls, figures["failed.calls"]])).toEqual([
      ["a", "m", 2, 1],
      ["a", "n", 1, 0],
      ["b", "m", 1, 0],
    ]);
    expect(total).toMatchObject({ calls: 4, "failed.calls": 1, inputTokens: 40, outputTokens: 20, reasoningTokens: 8 });
    expect(total).toMatchObject({ "priced.calls": 3, cost: 2100, "estimated.calls": 1 });
    expect(groups.map(({ figures }) => figures["estimated.calls"])).toEqual([0, 0, 1]);
    // A failed call took 15 minutes, and says nothing of answers.
    expect(total["completed.latency.p95"]).toBeGreaterThan(90);
    expect(total["completed.latency.p95"]).toBeLessThan(110);
    const byWorkload = await read(["workload", "project"], "a");
    expect(byWorkload.groups.map(({ values, figures }) => [...values, figures.calls])).toEqual([
      ["v", projectId, 1],
      ["w", projectId, 2],
    ]);
    const alone = await read([]);
    expect(alone.groups).toEqual([{ values: [], figures: total }]);
  });

  it("adds up calls by session from the rows, and all calls of the time, with a session or without", async () => {
    const projectId = newId();
    const call = { status: "completed", inputTokens: 10, outputTokens: 5, costNanos: 700, latencyMs: 100.4 };
    await write(projectId, [
      { ...call, id: newIdAt(6), keyId: "b", sessionId: "s2", model: "n" },
      { ...call, id: newIdAt(7), keyId: "a", sessionId: "s1", cacheReadTokens: 3 },
      { ...call, id: newIdAt(8), keyId: "a", sessionId: "s1", status: "failed", costNanos: null, latencyMs: 9e5 },
      { ...call, id: newIdAt(9), keyId: "a" },
      {
        ...call,
        id: idAt("2026-11-20T14:30:00.000Z", 1),
        startedAt: new Date("2026-11-20T14:30:00Z"),
        sessionId: "s1",
      },
    ]);
    const read = (groupBy: UsageQuery["groupBy"], keyId?: string) =>
      readUsageReport(databases.store, { projectId, ...RANGE, groupBy, keyId });
    const { groups, total } = await read(["session"]);
    expect(groups.map(({ values, figures }) => [...values, figures.calls])).toEqual([
      ["s1", 2],
      ["s2", 1],
    ]);
    const figures = groups[0]?.figures ?? total;
    expect(figures).toMatchObject({
      calls: 2,
      "failed.calls": 1,
      inputTokens: 20,
      cacheReadTokens: 3,
      cacheWriteTokens: 0,
      outputTokens: 10,
      reasoningTokens: 0,
      "estimated.calls": 0,
      "priced.calls": 1,
      cost: 700,
    });
    expect(figures["completed.latency.p95"]).toBe(figures["completed.latency.p50"]);
    expect(figures["completed.latency.p50"]).toBeCloseTo(100, -1);
    expect(total.calls).toBe(4);
    const own = await read(["model", "session"], "b");
    expect(own.groups.map(({ values }) => values)).toEqual([["n", "s2"]]);
    expect(own.total.calls).toBe(1);
  });

  it("adds up what was spent without latencies and feedback", async () => {
    const projectId = newId();
    const call = { status: "completed", inputTokens: 10, outputTokens: 5, costNanos: 700, latencyMs: 100 };
    await write(projectId, [
      { ...call, id: newIdAt(61), keyId: "a", endUserId: "ann", tags: { team: "search" } },
      { ...call, id: newIdAt(62), keyId: "b", endUserId: "bob", status: "failed", costNanos: null },
    ]);
    for (const groupBy of [["key"], ["end_user"], ["tag"], ["key", "end_user"]] as const) {
      const query = { projectId, ...RANGE, groupBy };
      const [report, spend] = await Promise.all([
        readUsageReport(databases.store, query),
        readSpend(databases.store, query),
      ]);
      const isTime = (name: string) => name.startsWith("feedback") || name.startsWith("completed.latency");
      const withoutTimes = (figures: typeof report.total) =>
        Object.fromEntries(Object.entries(figures).filter(([name]) => !isTime(name)));
      expect(spend.total).toEqual(withoutTimes(report.total));
      expect(spend.groups.length).toBeGreaterThan(0);
      expect(spend.groups).toEqual(
        report.groups.map(({ values, figures }) => ({ values, figures: withoutTimes(figures) })),
      );
    }
  });

  it("tells no sessions of a time with more calls than are read", async () => {
    const projectId = newId();
    await write(projectId, [{ id: newIdAt(10), sessionId: "s" }]);
    const hours = databases.store.query().updateTable("UsageHour").where("projectId", "=", projectId);
    await hours.set({ calls: MOST_SESSION_CALLS + 1 }).execute();
    const report = await readUsageReport(databases.store, { projectId, ...RANGE, groupBy: ["session"] });
    expect(report).toMatchObject({ groups: [], total: { calls: MOST_SESSION_CALLS + 1 }, isTooLong: true });
    expect(findUsageProblem(report)).toContain("take a shorter time");
  });

  it("adds up calls by end user and by tag, of whole days, and those without in the total alone", async () => {
    const projectId = newId();
    const call = { status: "completed", inputTokens: 10, outputTokens: 5, costNanos: 700, latencyMs: 100 };
    const late = { id: idAt("2026-11-20T23:30:00.000Z", 2), startedAt: new Date("2026-11-20T23:30:00Z") };
    const next = { id: idAt("2026-11-21T00:30:00.000Z", 3), startedAt: new Date("2026-11-21T00:30:00Z") };
    await write(projectId, [
      { ...call, id: newIdAt(11), keyId: "a", endUserId: "ann", tags: { team: "search", env: "prod" } },
      { ...call, id: newIdAt(12), keyId: "b", endUserId: "ann", status: "failed", costNanos: null, latencyMs: 9e5 },
      { ...call, id: newIdAt(13), keyId: "a", endUserId: "bob", tags: { team: "search" } },
      { ...call, id: newIdAt(14), keyId: "a" },
    ]);
    // They are added to the rows of the first batch.
    await write(projectId, [
      { ...call, ...late, keyId: "a", endUserId: "ann", model: "another" },
      { ...call, ...next, keyId: "a", endUserId: "ann" },
    ]);
    const read = async (groupBy: UsageQuery["groupBy"], keyId?: string) => {
      const { groups, total } = await readUsageReport(databases.store, { projectId, ...RANGE, groupBy, keyId });
      return { calls: groups.map(({ values, figures }) => [...values, figures.calls]), groups, total };
    };
    const byUser = await read(["end_user"]);
    expect(byUser.calls).toEqual([
      ["ann", 3],
      ["bob", 1],
    ]);
    expect(byUser.total.calls).toBe(5);
    const figures = byUser.groups[0]?.figures ?? byUser.total;
    expect(figures).toMatchObject({
      calls: 3,
      "failed.calls": 1,
      inputTokens: 30,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 15,
      reasoningTokens: 0,
      "estimated.calls": 0,
      "priced.calls": 2,
      cost: 1400,
    });
    expect([figures["completed.latency.p50"], figures["completed.latency.p95"]]).toEqual([
      expect.closeTo(100, -1),
      expect.closeTo(100, -1),
    ]);
    expect((await read(["tag"])).calls).toEqual([
      ["env=prod", 1],
      ["team=search", 2],
    ]);
    expect((await read(["key", "end_user"])).calls).toEqual([
      ["a", "ann", 2],
      ["a", "bob", 1],
      ["b", "ann", 1],
    ]);
    const own = await read(["end_user"], "b");
    expect([own.calls, own.total.calls]).toEqual([[["ann", 1]], 1]);
  });

  it("tells the trials of the time that calls are counted in: whole hours, and days by end user", async () => {
    const projectId = newId();
    const [morning, noon] = ["2026-11-20T09:00:00.000Z", TIME];
    const trials = [morning, noon].map((time, at) => ({
      ...shadowRecord({ projectId, startedAt: new Date(time), costNanos: 600 + at }),
      id: idAt(time, 90 + at),
    }));
    await databases.store.query().insertInto("ShadowTrial").values(trials).execute();
    const range = { from: new Date("2026-11-20T12:10:00Z"), to: new Date("2026-11-20T12:20:00Z") };
    const read = async (groupBy: UsageQuery["groupBy"]) =>
      (await readUsageReport(databases.store, { projectId, ...range, groupBy, keyId: undefined })).shadow;
    expect(await read(["model"])).toEqual({ trials: 1, checks: 0, costNanos: 601 });
    expect(await read(["end_user"])).toEqual({ trials: 2, checks: 0, costNanos: 1201 });
  });

  it("adds up the feedback that was given in the time, by what it is on", async () => {
    const projectId = newId();
    const call = { status: "completed", keyId: "a", model: "m", endUserId: "ann", sessionId: "s1" };
    const [one, two, before] = [newIdAt(20), newIdAt(21), idAt("2026-11-19T12:30:00.000Z", 22)];
    await write(projectId, [
      { ...call, id: one, tags: { team: "search", env: "prod" } },
      { ...call, id: two, keyId: "b", model: "n", endUserId: "bob", sessionId: "s2", tags: { team: "search" } },
      { ...call, id: before, startedAt: new Date("2026-11-19T12:30:00Z"), endUserId: "eve" },
    ]);
    const yes = { kind: "boolean", booleanValue: true, floatValue: null };
    const entry = (inferenceId: string, changes: Partial<FeedbackEntryRow>) =>
      feedbackRow({ id: newIdAt(23), projectId, inferenceId, workload: "", model: "m", keyId: "ci", ...changes });
    await writeBatch(databases.store, {
      inferences: [],
      feedback: [
        entry(one, yes),
        entry(one, { ...yes, booleanValue: false, sessionId: "s1" }),
        entry(two, { model: "n", servedModel: "n" }),
        entry(before, yes),
        entry(one, { ...yes, id: idAt("2026-11-21T12:30:00.000Z", 24) }),
      ],
    });
    const read = async (groupBy: UsageQuery["groupBy"], keyId?: string) => {
      const { groups, total } = await readUsageReport(databases.store, { projectId, ...RANGE, groupBy, keyId });
      const told = (figures: typeof total) =>
        [figures["feedback.entries"], figures["feedback.booleans"], figures["feedback.trues"]].join(" ");
      return {
        ...Object.fromEntries(groups.map(({ values, figures }) => [values.join("+"), told(figures)])),
        total: told(total),
      };
    };
    const total = "4 3 2";
    expect(await read(["model"])).toEqual({ m: "3 3 2", n: "1 0 0", total });
    expect(await read(["project"])).toEqual({ [projectId]: total, total });
    expect(await read(["key", "model"])).toEqual({ "a+m": "3 3 2", "b+n": "1 0 0", total });
    expect(await read(["end_user"])).toEqual({ ann: "2 2 1", bob: "1 0 0", eve: "1 1 1", total });
    expect(await read(["session"])).toEqual({ s1: "3 3 2", s2: "1 0 0", total });
    expect(await read(["tag"])).toEqual({ "env=prod": "2 2 1", "team=search": "3 2 1", total });
    expect(await read(["end_user"], "b")).toEqual({ bob: "1 0 0", total: "1 0 0" });
    expect(await read([], "a")).toEqual({ "": "3 3 2", total: "3 3 2" });
  });

  it("tells no feedback by what only records have where there is too much of it", async () => {
    const feedback = { ...NO_FEEDBACK, "feedback.entries": 60_000 };
    const report = { groups: [{ values: ["a"], figures: NO_FIGURES }], total: NO_FIGURES };
    const all = [{ values: [], feedback }];
    const { groups, total } = addFeedback(report, undefined, all);
    expect([groups[0]?.figures, total]).toEqual([NO_FIGURES, { ...NO_FIGURES, ...feedback }]);
  });

  it.each(USAGE_DIMENSIONS)(
    "has the columns of all figures by %s, in every period that is counted",
    async (dimension) => {
      const range = { from: new Date("2024-01-01T01:00:00Z"), to: new Date("2026-11-20T13:00:00Z") };
      const { total } = await readUsageReport(databases.store, { projectId: newId(), ...range, groupBy: [dimension] });
      expect(Object.keys(total).sort()).toEqual(REPORT_ROWS.map(({ name }) => name).sort());
    },
  );

  it("finds nothing in another project, or at another time", async () => {
    const projectId = newId();
    await write(projectId, [{ id: newIdAt(5) }]);
    const other = await readUsageReport(databases.store, { projectId: newId(), ...RANGE, groupBy: ["key"] });
    expect(other).toMatchObject({ groups: [], total: { calls: 0, "completed.latency.p50": null } });
    const later = { from: new Date("2026-11-20T13:00:00Z"), to: new Date("2026-11-20T14:00:00Z") };
    const report = await readUsageReport(databases.store, { projectId, ...later, groupBy: [] });
    expect(report.groups).toEqual([]);
  });
});

let made = 0;

/** Makes an id of the test's time; no other test has it. */
function newIdAt(index: number): string {
  made += 1;
  return idAt(TIME, 1000 * index + made);
}
