import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import { createKey } from "../../../../src/store/keys/key-repository.ts";
import { writeRefusals } from "../../../../src/store/refusals/write-refusals.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { idAt, inferenceRow, refusedAt } from "../../../support/rows.ts";
import type { Caller } from "../../caller.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople } from "../../people.ts";

interface Figures {
  readonly buckets: readonly { readonly startMs: number; readonly isPartial: boolean }[];
  readonly total: unknown;
  readonly compared: { readonly now: unknown; readonly before: unknown };
  readonly all: Readonly<Record<string, unknown>>;
  readonly groups: readonly { readonly key: string | null; readonly label: string; readonly columns: Columns }[];
  readonly stepMs: number;
  readonly refused: unknown;
}

type Columns = Readonly<Record<string, readonly (number | null)[]>>;

/** Middle of the bucket of a histogram: eight to a doubling, from 0.125 ms on. */
const middle = (ms: number) => Math.round(0.125 * 2 ** ((Math.floor(8 * Math.log2(ms / 0.125)) + 0.5) / 8) * 10) / 10;

const RANGE = { range: "custom", from: "2026-11-10T10:00:00Z", to: "2026-11-10T13:00:00Z" };

const NOTHING = {
  calls: 0,
  failedCalls: 0,
  inputTokens: 0,
  freshTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  costNanos: 0,
  savedNanos: 0,
  cacheSavedNanos: 0,
  firstTokenP50Ms: null,
  firstTokenP95Ms: null,
  totalP50Ms: null,
  totalP95Ms: null,
  firstTokenP99Ms: null,
  totalP99Ms: null,
  tokensPerSecond: null,
};

describe.each(ENGINES)("overview on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;
  let viewer: Caller;
  let projectId: string;
  let publicId: string;
  let count = 0;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
    const people = await createPeople(service);
    viewer = people.byRole.viewer;
    projectId = people.projectId;
    publicId = (await createKey(service.store, { projectId, name: "backend" })).info.publicId;
  });

  afterAll(() => service.close());

  const call = (time: string, changes: Partial<InferenceRow> = {}) => {
    count += 1;
    return { row: inferenceRow({ id: idAt(time, count), projectId, keyId: publicId, ...changes }) };
  };
  const write = (inferences: readonly ReturnType<typeof call>[]) =>
    writeBatch(service.store, {
      inferences: inferences.map(({ row }) => ({ row, attempts: [], request: undefined, response: undefined })),
      feedback: [],
    });
  const figures = async (input: object): Promise<Figures> => {
    const { data, error } = await viewer.query("overview.figures", { projectId, ...input });
    expect(error).toBeUndefined();
    return data as Figures;
  };

  it("says that nothing was called yet, and which key could", async () => {
    expect((await viewer.query("overview.names", { projectId })).data).toEqual({
      model: [],
      servedModel: [],
      key: [],
      workload: [],
      deployment: [],
      usableKey: { name: "backend", publicId },
    });
    const { total, groups, all } = await figures({ ...RANGE, group: "model" });
    expect([total, groups, all["calls"]]).toEqual([{ ...NOTHING, pricedCalls: 0, saved: {} }, [], [0, 0, 0]]);
  });

  it("adds calls up over time and by model, beside the period before", async () => {
    await write([
      // Before: 07:00 to 10:00.
      call("2026-11-10T07:30:00Z", { inputTokens: 100, outputTokens: 50, costNanos: 5000, baseCostNanos: 5000 }),
      call("2026-11-10T10:05:00Z", {
        model: "small",
        latencyMs: 400,
        timeToFirstTokenMs: 100,
        streamed: true,
        inputTokens: 10,
        cacheReadTokens: 30,
        cacheWriteTokens: 5,
        outputTokens: 20,
        costNanos: 1000,
        baseCostNanos: 4000,
        saved: { routing: 3100, hedging: -100 },
        cacheSavedNanos: 250,
      }),
      call("2026-11-10T10:55:00Z", {
        model: "small",
        latencyMs: 800,
        inputTokens: 10,
        outputTokens: 20,
        costNanos: 1000,
        cacheSavedNanos: -50,
      }),
      call("2026-11-10T12:10:00Z", {
        model: "large",
        status: "failed",
        errorReason: "overloaded",
        latencyMs: 9000,
        inputTokens: null,
        outputTokens: null,
        costNanos: null,
        baseCostNanos: null,
      }),
      // After the end.
      call("2026-11-10T13:00:00Z"),
    ]);
    const { buckets, total, compared, all, groups } = await figures({ ...RANGE, group: "model" });
    expect(buckets).toEqual(
      ["10", "11", "12"].map((hour) => ({ startMs: Date.parse(`2026-11-10T${hour}:00Z`), isPartial: false })),
    );
    const shown = {
      calls: 3,
      failedCalls: 1,
      inputTokens: 55,
      freshTokens: 25,
      cachedTokens: 30,
      outputTokens: 40,
      costNanos: 2000,
      savedNanos: 3000,
      cacheSavedNanos: 200,
      firstTokenP50Ms: middle(100),
      firstTokenP95Ms: middle(100),
      totalP50Ms: middle(400),
      totalP95Ms: middle(800),
      totalP99Ms: middle(800),
      // 40 tokens in 1.2 s.
      firstTokenP99Ms: middle(100),
      tokensPerSecond: expect.closeTo(33.3333, 3),
    };
    expect(total).toEqual({ ...shown, pricedCalls: 2, saved: { routing: 3100, hedging: -100 } });
    expect(compared.now).toEqual(shown);
    expect(compared.before).toEqual({
      ...NOTHING,
      calls: 1,
      inputTokens: 100,
      freshTokens: 100,
      outputTokens: 50,
      costNanos: 5000,
      totalP50Ms: middle(1000),
      totalP95Ms: middle(1000),
      totalP99Ms: middle(1000),
      tokensPerSecond: 50,
    });
    expect(all).toMatchObject({ calls: [2, 0, 1], savedNanos: [3000, 0, 0], totalP95Ms: [middle(800), null, null] });
    expect(groups.map(({ key, label, columns }) => [key, label, columns["calls"], columns["failedCalls"]])).toEqual([
      ["small", "small", [2, 0, 0], [0, 0, 0]],
      ["large", "large", [0, 0, 1], [0, 0, 1]],
    ]);
  });

  it.each([
    { group: "none", expected: [["", "All calls"]] },
    { group: "key", expected: [["KEY", "backend"]] },
    { group: "workload", expected: [["support", "support"]] },
    { group: "deployment", expected: [["anthropic / real-model", "anthropic / real-model"]] },
  ])("groups by $group, in words for people", async ({ group, expected }) => {
    const { groups } = await figures({ ...RANGE, group });
    expect(groups.map(({ key, label, columns }) => [key, label, columns["calls"]])).toEqual(
      expected.map(([key, label]) => [key === "KEY" ? publicId : key, label, [2, 0, 1]]),
    );
  });

  it("counts refused calls by reason and hour, those of the last hour by the minute", async () => {
    const at = (hour: number) => refusedAt(Date.parse(RANGE.from) + hour * 3_600_000);
    const count = { projectId, keyId: publicId, reason: "limit" } as const;
    const counts = [
      ...[-1, 0, 2, 3].map((hour) => ({ ...count, ...at(hour), calls: 10 + hour })),
      { ...count, reason: "budget" as const, ...at(1.9), calls: 30 },
    ];
    await writeRefusals(service.store, { counts, samples: [] });
    expect((await figures({ ...RANGE, group: "none" })).refused).toEqual({
      calls: 52,
      series: [
        { isRefused: true, reason: "budget", calls: [0, 30, 0] },
        { isRefused: true, reason: "limit", calls: [10, 0, 12] },
      ],
    });
    const now = [50, 7, 7].map((minutes) => ({
      ...count,
      ...refusedAt(Date.now() - minutes * 60_000),
      calls: minutes,
    }));
    await writeRefusals(service.store, { counts: now, samples: [] });
    expect((await figures({ range: "1h", group: "none" })).refused).toEqual({
      calls: 64,
      series: [{ isRefused: true, reason: "limit", calls: expect.arrayContaining([50, 14, 0]) }],
    });
  });

  it("takes all beyond seven groups together, without times that cannot be added", async () => {
    const day = { range: "custom", from: "2026-11-05T00:00:00Z", to: "2026-11-05T02:00:00Z" };
    const models = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    await write(
      models.flatMap((model, index) =>
        Array.from({ length: 9 - index }, () => call("2026-11-05T01:30:00Z", { model, costNanos: 7 })),
      ),
    );
    const { groups } = await figures({ ...day, group: "model" });
    expect(groups.map(({ key, label, columns }) => [key, label, columns["calls"]])).toEqual([
      ...models.slice(0, 7).map((model, index) => [model, model, [0, 9 - index]]),
      [null, "2 others", [0, 3]],
    ]);
    expect([groups[7]?.columns["costNanos"], groups[7]?.columns["totalP50Ms"]]).toEqual([
      [0, 21],
      [null, null],
    ]);
  });

  it("lists what calls were told apart by, of all time", async () => {
    expect((await viewer.query("overview.names", { projectId })).data).toMatchObject({
      model: ["a", "b", "c", "d", "e", "f", "g", "h", "i", "large", "small", "some-model"],
      key: [publicId],
      workload: ["support"],
      deployment: ["anthropic / real-model"],
    });
  });

  it("has the last hour by two minutes, to the call", async () => {
    const nowMs = Date.now();
    const ago = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();
    await write([call(ago(0.01), { model: "new" }), call(ago(75), { model: "new" }), call(ago(200), { model: "new" })]);
    const { stepMs, buckets, total, compared, groups } = await figures({ range: "1h", group: "model" });
    expect([stepMs, buckets.length, buckets.at(-1)?.isPartial]).toEqual([120_000, 30, true]);
    expect([total, compared.now, compared.before]).toMatchObject([{ calls: 1 }, { calls: 1 }, { calls: 1 }]);
    expect(
      groups.map(({ key, columns }) => [key, columns["calls"]?.reduce((sum, value) => (sum ?? 0) + (value ?? 0), 0)]),
    ).toEqual([["new", 1]]);
  });

  it("shows nothing of another project", async () => {
    const own = (await createPeople(service)).byRole.viewer;
    const answer = await own.query("overview.figures", { projectId, ...RANGE, group: "model" });
    expect(answer.error?.message).toBe("there is no such project");
  });

  it.each([
    [{ range: "24h" }, "group: must be one of none, servedModel, model, key, workload, deployment"],
    [{ range: "2h", group: "model" }, "range: must be one of 1h, 24h, 7d, 30d, 90d, 1y, custom"],
    [{ ...RANGE, to: RANGE.from, group: "model" }, "to: must be later than from"],
  ])("refuses %j", async (input, message) => {
    const { status, error } = await viewer.query("overview.figures", { projectId, ...input });
    expect([status, error?.message]).toEqual([400, message]);
  });

  it("refuses a project that is none", async () => {
    const { status, error } = await viewer.query("overview.names", { projectId: "x" });
    expect([status, error?.message]).toEqual([400, "projectId: must be the id of a project"]);
    expect((await viewer.query("overview.names", { projectId: randomUUID() })).status).toBe(404);
  });
});
