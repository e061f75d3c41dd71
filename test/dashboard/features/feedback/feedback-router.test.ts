import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FeedbackEntryRow } from "../../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../../support/rows.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople, type People } from "../../people.ts";

/** Two days, in hours: 10:00 of the first is the eleventh. */
const RANGE = { range: "custom", from: "2026-03-02T00:00:00.000Z", to: "2026-03-04T00:00:00.000Z" };
const HOURS = 48;

// Ids are unique in all projects: no two tests below use the same number at the same time.

describe.each(ENGINES)("feedback in the dashboard on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
  });

  afterAll(() => service.close());

  async function write(
    feedback: readonly Partial<FeedbackEntryRow>[],
    inferences: readonly Partial<InferenceRow>[] = [],
  ): Promise<People> {
    const people = await createPeople(service);
    const { projectId } = people;
    await writeBatch(service.store, {
      inferences: inferences.map((row) => ({
        row: inferenceRow({ ...row, projectId }),
        attempts: [],
        request: undefined,
        response: undefined,
      })),
      feedback: feedback.map((row) => feedbackRow({ ...row, projectId })),
    });
    return people;
  }

  async function ask({ byRole, projectId }: People, path: string, input: object = {}): Promise<unknown> {
    const { data, error } = await byRole.viewer.query(`feedback.${path}`, { projectId, ...input });
    return data ?? error?.message;
  }

  const boolean = (time: string, number: number, booleanValue: boolean, others: Partial<FeedbackEntryRow> = {}) => ({
    id: idAt(time, number),
    createdAt: new Date(time),
    name: "helpful",
    kind: "boolean",
    booleanValue,
    floatValue: null,
    ...others,
  });
  const float = (time: string, number: number, floatValue: number, others: Partial<FeedbackEntryRow> = {}) => ({
    id: idAt(time, number),
    createdAt: new Date(time),
    name: "quality",
    floatValue,
    ...others,
  });
  const note = (time: string, number: number, textValue: string) => ({
    id: idAt(time, number),
    createdAt: new Date(time),
    name: "comment",
    kind: "note",
    textValue,
    floatValue: null,
    optimize: null,
  });

  it("comes in steps of two minutes for an hour, without what came before it", async () => {
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const times = [5, 5, 30, 70].map(minutesAgo);
    const people = await write(times.map((time, at) => float(time, 910 + at, at)));
    const summary = (await ask(people, "summary", { range: "1h" })) as {
      readonly stepMs: number;
      readonly buckets: readonly object[];
      readonly metrics: readonly { readonly entries: number }[];
      readonly series: readonly { readonly entries: readonly number[] }[];
    };
    expect(summary).toMatchObject({ stepMs: 120_000, metrics: [{ name: "quality", entries: 3 }] });
    expect(summary.buckets).toHaveLength(30);
    expect(summary.series[0]?.entries.filter((count) => count > 0)).toEqual([1, 2]);
    const { byModel } = (await ask(people, "metric", { range: "1h", name: "quality", kind: "float" })) as {
      readonly byModel: readonly object[];
    };
    expect(byModel).toMatchObject([{ entries: 3 }]);
  });

  it("removes an entry for admins, with an entry in the audit log", async () => {
    const time = "2026-03-02T10:10:00Z";
    const [inferenceId, id] = [idAt(time, 900), idAt(time, 901)];
    const people = await write([boolean(time, 901, true, { inferenceId })], [{ id: inferenceId }]);
    const { byRole, projectId } = people;
    const remove = async (role: keyof typeof byRole, entry = id) =>
      (await byRole[role].mutate("feedback.remove", { projectId, id: entry })).error?.message;
    expect(await remove("developer")).toContain("developer");
    expect(await remove("admin", idAt(time, 902))).toBe("id: there is no such feedback");
    expect(await remove("admin")).toBeUndefined();
    expect(await ask(people, "entries")).toMatchObject({ entries: [] });
    const { data } = await byRole.admin.query("auditLog.list", { projectId, filter: {} });
    expect(JSON.stringify(data)).toContain("feedback.remove");
  });

  it("sums up what was said in a time, with intervals, and tells when it came", async () => {
    const people = await write([
      boolean("2026-03-02T10:10:00Z", 1, true),
      boolean("2026-03-02T10:50:00Z", 2, true),
      boolean("2026-03-03T23:00:00Z", 3, false),
      boolean("2026-03-04T00:00:00Z", 4, false),
      boolean("2026-03-01T23:59:59Z", 5, false),
      float("2026-03-02T10:00:00Z", 6, 1, { optimize: "min" }),
      float("2026-03-02T10:59:59Z", 7, 3, { optimize: "min" }),
      note("2026-03-03T00:00:00Z", 8, "too long"),
    ]);
    const summary = (await ask(people, "summary", RANGE)) as {
      fromMs: number;
      stepMs: number;
      buckets: { startMs: number }[];
      metrics: unknown;
      series: { name: string; entries: number[]; means: (number | null)[] }[];
    };
    expect([summary.fromMs, summary.stepMs, summary.buckets.length]).toEqual([
      Date.parse(RANGE.from),
      3_600_000,
      HOURS,
    ]);
    expect(summary.metrics).toEqual([
      {
        name: "helpful",
        kind: "boolean",
        entries: 3,
        optimize: "max",
        // Wilson, 2 of 3: centre 0.5730.. and half 0.3653.. by hand: (2/3 + z²/6) / (1 + z²/3), z² = 3.841459.
        estimate: { mean: 2 / 3, low: expect.closeTo(0.20766, 4), high: expect.closeTo(0.93851, 4) },
      },
      {
        name: "quality",
        kind: "float",
        entries: 2,
        optimize: "min",
        // Student with one degree of freedom: 2 ± 12.7062 * sqrt(2) / sqrt(2).
        estimate: { mean: 2, low: expect.closeTo(-10.7062, 4), high: expect.closeTo(14.7062, 4) },
      },
      { name: "comment", kind: "note", entries: 1, optimize: null, estimate: null },
    ]);
    const at = (name: string) => {
      const series = summary.series.find((one) => one.name === name);
      return series?.entries.flatMap((count, hour) => (count === 0 ? [] : [[hour, count, series.means[hour]]]));
    };
    expect([at("helpful"), at("quality"), at("comment")]).toEqual([
      [
        [10, 2, 1],
        [47, 1, 0],
      ],
      [[10, 2, 2]],
      [[24, 1, null]],
    ]);
  });

  it("takes days together in weeks over a year, each entry once", async () => {
    // 2026-03-02 is a Monday.
    const people = await write([
      float("2026-03-02T00:00:00Z", 1, 1),
      float("2026-03-08T23:59:59Z", 2, 4),
      float("2026-03-09T00:00:00Z", 3, 7),
    ]);
    const year = { range: "custom", from: "2025-06-02T00:00:00.000Z", to: "2026-06-01T00:00:00.000Z" };
    const { buckets, series } = (await ask(people, "summary", year)) as {
      buckets: { startMs: number }[];
      series: { entries: number[]; means: number[] }[];
    };
    const [only] = series;
    const found = buckets.flatMap(({ startMs }, place) =>
      only?.entries[place] ? [[new Date(startMs).toISOString(), only.entries[place], only.means[place]]] : [],
    );
    expect(found).toEqual([
      ["2026-03-02T00:00:00.000Z", 2, 2.5],
      ["2026-03-09T00:00:00.000Z", 1, 7],
    ]);
  });

  it("tells of a metric by the model that answered and by workload, and how its numbers are spread", async () => {
    const people = await write([
      float("2026-03-02T10:00:00Z", 1, 0, { model: "a", workload: "x" }),
      float("2026-03-02T10:00:01Z", 2, 10, { model: "a", workload: "" }),
      float("2026-03-02T10:00:02Z", 3, 9.5, { model: "a", servedModel: "b", workload: "x" }),
      float("2026-03-02T10:00:03Z", 4, 5, { model: "b", workload: "x" }),
      float("2026-03-02T10:00:04Z", 5, 99, { name: "other" }),
      boolean("2026-03-02T10:00:05Z", 6, true, { name: "quality", model: "a" }),
    ]);
    const detail = (await ask(people, "metric", { ...RANGE, name: "quality", kind: "float" })) as {
      byModel: { group: string; entries: number; estimate: { mean: number } }[];
      byWorkload: { group: string; entries: number; estimate: { mean: number } }[];
      distribution: { n: number; bins: { from: number; to: number; count: number }[] };
    };
    const shown = (rows: typeof detail.byModel) =>
      rows.map(({ group, entries, estimate }) => [group, entries, estimate.mean]);
    expect(shown(detail.byModel)).toEqual([
      ["a", 2, 5],
      ["b", 2, 7.25],
    ]);
    expect(shown(detail.byWorkload)).toEqual([
      ["", 1, 10],
      ["x", 3, 14.5 / 3],
    ]);
    const { n, bins } = detail.distribution;
    expect([n, bins.map(({ count }) => count)]).toEqual([4, [1, 0, 0, 0, 0, 1, 0, 0, 0, 2]]);
    expect([bins[0], bins[9]]).toEqual([
      { from: 0, to: 1, count: 1 },
      { from: 9, to: 10, count: 2 },
    ]);
    expect(await ask(people, "metric", { ...RANGE, name: "quality", kind: "boolean" })).toMatchObject({
      byModel: [{ group: "a", entries: 1, estimate: { mean: 1 } }],
      distribution: { n: 0, bins: [] },
    });
  });

  it("lists entries page by page, of all metrics or of one", async () => {
    const people = await write([
      boolean("2026-03-02T10:00:00Z", 31, false, { tags: { page: "help" } }),
      float("2026-03-02T11:00:00Z", 2, 0.5),
      note("2026-03-02T12:00:00Z", 3, "thank you"),
    ]);
    const first = (await ask(people, "entries", { limit: 2 })) as { entries: { value: unknown }[]; next: string };

    expect(first.entries.map(({ value }) => value)).toEqual(["thank you", 0.5]);
    const second = (await ask(people, "entries", { limit: 2, cursor: first.next })) as { entries: object[] };
    expect(second).toEqual({
      entries: [
        {
          id: idAt("2026-03-02T10:00:00Z", 31),
          inferenceId: expect.any(String),
          keyId: "abcdefghijkl",
          name: "helpful",
          kind: "boolean",
          value: false,
          model: "some-model",
          workload: "support",
          tags: { page: "help" },
          createdAt: "2026-03-02T10:00:00.000Z",
        },
      ],
      next: null,
    });
    const one = (await ask(people, "entries", { name: "quality" })) as { entries: { value: unknown }[] };
    expect(one.entries.map(({ value }) => value)).toEqual([0.5]);
  });

  it("finds notes by what they say, whatever the case, and goes on where it stopped", async () => {
    const texts = ["Zu LANG, sagt Ärger", "short", "too long", "so long ago", "fine"];
    const people = await write(texts.map((text, index) => note(`2026-03-02T1${index}:00:00Z`, index, text)));
    interface Found {
      readonly entries: readonly { readonly value: string }[];
      readonly searched: number;
      readonly next: string | null;
    }
    const search = async (text: string, others: object = {}) => {
      const { entries, ...rest } = (await ask(people, "notes", { text, ...others })) as Found;
      return { values: entries.map(({ value }) => value), ...rest };
    };
    expect(await search("LONG")).toEqual({ values: ["so long ago", "too long"], searched: 5, next: null });
    expect(await search("ärger")).toEqual({ values: ["Zu LANG, sagt Ärger"], searched: 5, next: null });
    expect(await search("%")).toEqual({ values: [], searched: 5, next: null });
    const first = await search("long", { limit: 1 });
    expect(first).toEqual({ values: ["so long ago"], searched: 2, next: idAt("2026-03-02T13:00:00Z", 3) });
    const cursor = first.next ?? "";
    expect(await search("long", { limit: 1, cursor })).toMatchObject({ values: ["too long"], searched: 1 });
    expect(await search("", { limit: 2 })).toMatchObject({ values: ["fine", "so long ago"], searched: 2 });
  });

  it("names the latest inference, and none where there is none", async () => {
    const id = idAt("2026-03-02T12:00:00Z", 2);
    const people = await write([], [{ id: idAt("2026-03-02T11:00:00Z", 1) }, { id }]);
    expect(await ask(people, "example")).toEqual({ inferenceId: id });
    expect(await ask(await write([]), "example")).toEqual({ inferenceId: null });
  });

  it("says what is wrong with an input", async () => {
    const people = await createPeople(service);
    expect(await ask(people, "summary", { range: "2d" })).toContain("range: must be one of 1h, 24h");
    expect(await ask(people, "metric", { ...RANGE, name: "x", kind: "y" })).toBe(
      "kind: must be one of boolean, float, note",
    );
    expect(await ask(people, "entries", { limit: 0 })).toBe("limit: must be 1 or more");
    expect(await ask(people, "entries", { cursor: "x" })).toBe("cursor: must be an id");
    expect(await ask(people, "notes", { text: "x".repeat(1001) })).toBe("text: must have 1000 characters or fewer");
    expect(await ask(people, "notes", { cursor: randomUUID() })).toMatchObject({ entries: [] });
  });
});
