import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { countLatency, type Histogram, percentileMs } from "../../../src/figures/histogram.ts";
import type { UsageQuery, UsageReport } from "../../../src/figures/usage.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createProjects } from "../../../src/store/dashboard/projects.ts";
import { withStatementLimit } from "../../../src/store/database/statement-limit.ts";
import { deleteEndUser } from "../../../src/store/end-users/delete-end-user.ts";
import type { FeedbackEntryRow } from "../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import { deleteProject } from "../../../src/store/project-deletion/delete-project.ts";
import { deleteProjectData } from "../../../src/store/project-deletion/delete-project-data.ts";
import { applyRetention } from "../../../src/store/retention/apply-retention.ts";
import { readUsageReport } from "../../../src/store/usage/read-usage-report.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { buildPeriods } from "../../../src/store/write/rollups/build-periods.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../support/rows.ts";

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
/** As in maintenance: who writes and who makes periods wait for each other. */
const LIMIT_MS = 60_000;
const START = Date.parse("2026-01-07T00:00:00Z");
const DAYS = 200;
/** Four weeks that begin on a Monday which is one of their first. */
const FOUR_WEEKS = { from: new Date("2026-02-16T00:00:00Z"), to: new Date("2026-03-16T00:00:00Z") };
const STATUSES = ["completed", "completed", "completed", "failed", "canceled"];
const NAMED = ["UsageFactWeek", "UsageFactFourWeeks", "FeedbackFactWeek", "FeedbackFactFourWeeks"] as const;
const LARGER = ["UsageWeek", ...NAMED] as const;

interface Rows {
  readonly inferences: readonly InferenceRow[];
  readonly feedback: readonly FeedbackEntryRow[];
}

describe.each(ENGINES)("longer periods of usage on %s", (engine) => {
  const databases = useDatabases(engine);
  let projectId = "";
  let rows: Rows = { inferences: [], feedback: [] };

  const newProject = async () => (await createProjects(databases.store).create(newId()))?.id ?? "";
  const build = (day: number) =>
    withStatementLimit(LIMIT_MS, () => buildPeriods(databases.store, new Date(START + day * DAY_MS)));
  /** Writes some of the calls, and the feedback on them. */
  const write = async ({ inferences, feedback }: Rows, isWritten: (index: number) => boolean) => {
    const written = inferences.filter((_, index) => isWritten(index));
    // In short transactions: who makes longer periods waits for each.
    for (let at = 0; at < written.length; at += 50) {
      const batch = written.slice(at, at + 50);
      const ids = new Set(batch.map(({ id }) => id));
      const rows = {
        inferences: batch.map((row) => ({ row, attempts: [], request: undefined, response: undefined })),
        feedback: feedback.filter(({ inferenceId }) => ids.has(inferenceId)),
      };
      await withStatementLimit(LIMIT_MS, () => writeBatch(databases.store, rows));
    }
  };
  const periodsOf = async (table: (typeof LARGER)[number], project: string) => {
    const found = databases.store.query().selectFrom(table).select("period").distinct();
    return (await found.where("projectId", "=", project).execute()).map(({ period }) => period);
  };

  beforeAll(async () => {
    projectId = await newProject();
    rows = makeRows(projectId);
    const part = (number: number) => write(rows, (index) => index % 4 === number);
    // Half is written before longer periods are made, a quarter while they are, and a quarter is late.
    await part(0);
    expect(await build(60)).toBeGreaterThan(10);
    await Promise.all([part(1), build(130), part(2), build(130)]);
    await build(199);
    await part(3);
    await build(199);
    expect(await build(199)).toBe(0);
  }, 180_000);

  /** Expects figures of random times to be those of the rows, in whole days; without those of a name. */
  async function expectFigures({ keptFrom = 0, gone = "" } = {}): Promise<void> {
    const time = fc.integer({ min: keptFrom * 24, max: DAYS * 24 });
    const groupBy = fc.constantFrom<UsageQuery["groupBy"]>(["end_user"], ["tag"], ["key", "end_user"], ["tag", "key"]);
    const calls = new Map(rows.inferences.map((row) => [row.id, row]));
    await fc.assert(
      fc.asyncProperty(time, time, groupBy, fc.constantFrom("", "a", "b"), async (one, other, by, keyId) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other) + 1];
        const isIn = (at: Date, key: string) => {
          const day = (at.getTime() - START) / DAY_MS;
          return day >= Math.floor(from / 24) && day < Math.ceil(to / 24) && (keyId === "" || key === keyId);
        };
        const lines = linesOf({
          by,
          inferences: rows.inferences.filter(({ startedAt, keyId: key }) => isIn(startedAt, key)),
          rated: rows.feedback.flatMap((entry) => {
            const call = calls.get(entry.inferenceId);
            return call !== undefined && isIn(entry.createdAt, call.keyId) ? [{ entry, call }] : [];
          }),
        });
        const report = await readUsageReport(databases.store, {
          projectId,
          groupBy: by,
          from: new Date(START + from * HOUR_MS),
          to: new Date(START + to * HOUR_MS),
          ...(keyId !== "" && { keyId }),
        });
        expect(toLines(report)).toEqual(lines.filter((line) => gone === "" || !line.includes(gone)));
      }),
      { numRuns: 40, examples: [[keptFrom * 24, DAYS * 24, ["end_user"], ""]] },
    );
  }

  it("are made for weeks and for four of them, and read in the place of days", async () => {
    for (const table of LARGER) {
      expect((await periodsOf(table, projectId)).length).toBeGreaterThan(table.endsWith("FourWeeks") ? 4 : 20);
    }
    const own = await newProject();
    await write(makeRows(own), () => true);
    await build(199);
    const { store } = databases;
    const query: UsageQuery = { projectId: own, ...FOUR_WEEKS, groupBy: ["end_user"] };
    const before = await readUsageReport(store, query);
    expect(before.groups).toHaveLength(5);
    for (const table of ["UsageFactDay", "UsageFactWeek", "FeedbackFactDay", "FeedbackFactWeek"] as const) {
      await store.query().deleteFrom(table).where("projectId", "=", own).execute();
    }
    expect((await readUsageReport(store, query)).groups).toEqual(before.groups);
  });

  it("give the figures of the days, at all edges", async () => {
    await expectFigures();
  });

  it("lose an end user who is deleted", async () => {
    const { store } = databases;
    await deleteEndUser(store, { projectId, endUserId: "user 1" });
    for (const table of NAMED) {
      const found = store.query().selectFrom(table).select("period").where("projectId", "=", projectId);
      expect(await found.where("name", "=", "user 1").execute()).toEqual([]);
    }
    expect(await build(199)).toBe(0);
    await expectFigures({ gone: "user 1" });
  });

  it("lose what retention deletes, and are not read where a part of them is gone", async () => {
    const { store } = databases;
    // A Tuesday in the second of four weeks: the week's Monday is day 47.
    const deleteBefore = new Date("2026-02-24T00:00:00Z");
    const plan = { retentionDays: 100, expiredBefore: deleteBefore, deleteBefore, held: undefined };
    const options = { now: new Date(START + 199 * DAY_MS), signal: new AbortController().signal };
    await applyRetention(store, [{ ...plan, kind: "figures" }], options);
    const first = Math.floor((FOUR_WEEKS.to.getTime() - Date.parse("1970-01-05T00:00:00Z")) / (28 * DAY_MS));
    expect(Math.min(...(await periodsOf("UsageFactFourWeeks", projectId)))).toBe(first);
    expect(await build(199)).toBe(0);
    await expectFigures({ keptFrom: 47, gone: "user 1" });
    // What is written late into deleted times is not taken for all of its four weeks.
    const startedAt = FOUR_WEEKS.from;
    const late = inferenceRow({ projectId, id: idAt(startedAt.toISOString(), 999_999), startedAt, endUserId: "late" });
    await write({ inferences: [late], feedback: [] }, () => true);
    await expectFigures({ keptFrom: 47, gone: "user 1" });
  });

  it("are not made of a project that is deleted, and go with it", async () => {
    const { store } = databases;
    const [made, deleted] = [await newProject(), await newProject()];
    await write(makeRows(made), () => true);
    await build(199);
    await write(makeRows(deleted), () => true);
    for (const id of [made, deleted]) await deleteProject(store, id);
    expect(await build(199)).toBe(0);
    for (const id of [made, deleted]) {
      await deleteProjectData(store, id, {});
      for (const table of LARGER) expect(await periodsOf(table, id)).toEqual([]);
    }
  });
});

/** Makes calls of five end users with two tags and two keys, and feedback on a third of them, at random times. */
function makeRows(projectId: string): Rows {
  let state = 7;
  const draw = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const inferences = Array.from({ length: 1200 }, (_, index) => {
    const startedAt = new Date(START + draw(DAYS * DAY_MS));
    return inferenceRow({
      projectId,
      startedAt,
      id: newIdAt(startedAt, index),
      keyId: draw(3) === 0 ? "b" : "a",
      endUserId: `user ${draw(5)}`,
      tags: { team: draw(2) === 0 ? "search" : "ads" },
      status: STATUSES[draw(STATUSES.length)] ?? "completed",
      latencyMs: draw(5000),
      costNanos: draw(1000),
    });
  });
  const feedback = inferences
    .filter(() => draw(3) === 0)
    .map(({ id, startedAt }, index) => {
      const createdAt = new Date(Math.min(startedAt.getTime() + draw(2 * DAY_MS), START + DAYS * DAY_MS - 1));
      return feedbackRow({
        projectId,
        inferenceId: id,
        id: newIdAt(createdAt, 10_000 + index),
        createdAt,
        kind: "boolean",
        booleanValue: draw(2) === 0,
        floatValue: null,
      });
    });
  return { inferences, feedback };
}

function newIdAt(time: Date, number: number): string {
  return `${idAt(time.toISOString(), number).slice(0, 24)}${newId().slice(24)}`;
}

interface Counted {
  readonly by: UsageQuery["groupBy"];
  readonly inferences: readonly InferenceRow[];
  readonly rated: readonly { readonly entry: FeedbackEntryRow; readonly call: InferenceRow }[];
}

/** Counts rows by their groups, with no help from the code under test. */
function linesOf({ by, inferences, rated }: Counted): string[] {
  const groups = new Map<string, { sums: number[]; latencies: Histogram }>();
  const groupOf = (row: InferenceRow) => {
    const name = by.map((dimension) => namesIn(row)[dimension] ?? "").join(" ");
    const group = groups.get(name) ?? { sums: [0, 0, 0, 0, 0, 0], latencies: [] };
    groups.set(name, group);
    return group;
  };
  const add = (sums: number[], ...values: readonly number[]) => {
    for (const [at, value] of values.entries()) sums[at] = (sums[at] ?? 0) + value;
  };
  for (const row of inferences) {
    const { sums, latencies } = groupOf(row);
    add(sums, 1, Number(row.status === "failed"), row.costNanos ?? 0, 0, 0, row.inputTokens ?? 0);
    if (row.status === "completed") countLatency(latencies, row.latencyMs);
  }
  for (const { entry, call } of rated) add(groupOf(call).sums, 0, 0, 0, 1, Number(entry.booleanValue));
  return [...groups].map(([name, { sums, latencies }]) => line(name, sums, percentileMs(latencies, 0.5))).sort();
}

function namesIn({ endUserId, tags, keyId }: InferenceRow): Record<string, string> {
  return { end_user: endUserId ?? "", tag: `team=${tags?.["team"]}`, key: keyId };
}

function toLines({ groups }: UsageReport): string[] {
  const lines = groups.map(({ values, figures }) => {
    const { calls, cost, inputTokens } = figures;
    const rated = [figures["feedback.entries"] ?? 0, figures["feedback.trues"] ?? 0];
    const sums = [calls, figures["failed.calls"], cost, ...rated, inputTokens];
    return line(values.join(" "), sums, figures["completed.latency.p50"] ?? undefined);
  });
  return lines.sort();
}

function line(name: string, sums: readonly number[], latencyMs: number | undefined): string {
  return `${name}: ${sums.join(" ")} ${latencyMs?.toFixed(1)}`;
}
