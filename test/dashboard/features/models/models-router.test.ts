import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addSample } from "../../../../src/learning/equivalence/audit-state.ts";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import { createAuditStore } from "../../../../src/store/equivalence/audit-store.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../../support/rows.ts";
import type { Caller } from "../../caller.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople } from "../../people.ts";

const RANGE = { range: "custom", from: "2026-11-10T10:00:00Z", to: "2026-11-10T13:00:00Z" };
const AT = "2026-11-10T10:30:00Z";

/** Prices of the built-in models, in pico-USD per token: a dollar for a million tokens is a million of them. */
const PRICES = [
  { inputPicos: 10e6, outputPicos: 50e6 },
  { inputPicos: 8e6, outputPicos: 40e6 },
  { inputPicos: 2e6, outputPicos: 10e6 },
  { inputPicos: 0.1e6, outputPicos: 0.5e6 },
];

interface Answered {
  readonly models: readonly Readonly<Record<string, unknown>>[];
  readonly metrics: readonly Readonly<Record<string, unknown>>[];
}

describe.each(ENGINES)("models on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;
  let viewer: Caller;
  let projectId: string;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
    const people = await createPeople(service);
    viewer = people.byRole.viewer;
    projectId = people.projectId;
    const served = (model: string, workload: string, status = "completed") => ({ model, workload, status });
    const calls = [
      ...[served("large", "support"), served("large", "support"), served("large", "support", "failed")],
      ...[served("small", "support"), served("small", "search"), served("small", "")],
    ];
    const scores = [
      ...[0.9, 0.8, 0.7].map((floatValue) => ({ model: "large", workload: "support", floatValue })),
      ...[0.5, 0.3].map((floatValue) => ({ model: "small", workload: "support", floatValue })),
    ];
    await writeBatch(service.store, {
      inferences: calls.map((call, index) => ({
        row: inferenceRow({
          id: idAt(AT, index + 1),
          projectId,
          costNanos: call.model === "large" ? 3000 : 1000,
          ...call,
        }),
        attempts: [],
        request: undefined,
        response: undefined,
      })),
      feedback: scores.map((score, index) => feedbackRow({ id: idAt(AT, 100 + index), projectId, ...score })),
    });
  });

  afterAll(() => service.close());

  const compare = async (input: object): Promise<Answered> => {
    const { data, error } = await viewer.query("models.compare", { projectId, ...RANGE, ...input });
    expect(error).toBeUndefined();
    return data as Answered;
  };

  it("tells where models are served, and what is known of these places", async () => {
    const { data } = await viewer.query("models.deployments", { projectId });
    const { configuredAt, deployments } = data as { configuredAt: string; deployments: object[] };
    expect(Date.now() - Date.parse(configuredAt)).toBeGreaterThanOrEqual(0);
    expect(deployments).toEqual([
      {
        models: ["gpt-6-astra", "claude-fable-5-2", "claude-sonnet-5-5", "claude-haiku-5-5"],
        embeddings: false,
        upstream: "sandbox",
        upstreamModel: "sandbox",
        // The sandbox has no address, and the built-in models have four prices.
        host: null,
        prices: PRICES,
        isOut: false,
        returned: 1,
        inFlight: 0,
        peakMs: null,
        headroom: null,
        failures: 0,
        hasSucceeded: false,
      },
    ]);
  });

  it("tells how deployments compare with the first one of their model", async () => {
    const audits = async () => (await viewer.query("models.audits", { projectId })).data as readonly object[];
    expect(await audits()).toEqual([]);
    const key = { model: "m", place: { upstream: "second", model: "real" } };
    const comparison = { tosses: [], hasNull: true, isMatch: true, distance: 0.5, baseDistance: 0.25 };
    const sample = { key, plainPlace: { upstream: "first", model: "real" }, comparison };
    await createAuditStore(service.store).change(key, (known) => addSample(known, sample, new Date()));
    await expect.poll(audits).toHaveLength(1);
    expect(await audits()).toEqual([
      {
        model: "m",
        upstream: "second",
        upstreamModel: "real",
        standing: "open",
        differentBy: [],
        samples: 1,
        // One of one, by hand: the mixture gives 1/2, and 1/2 over the chance is 20 at 0.025.
        match: { estimate: 1, low: expect.closeTo(0.025, 4), high: 1 },
        baseMatch: null,
        distance: 0.5,
        baseDistance: 0.25,
      },
    ]);
  });

  it("compares the models of a workload: share, cost, errors with their interval", async () => {
    const { models } = await compare({ workload: "support" });
    expect(models).toMatchObject([
      { model: "large", calls: 3, share: 0.75, errors: { mean: 1 / 3 }, costNanosPerCall: 3000 },
      { model: "small", calls: 1, share: 0.25, errors: { mean: 0 }, costNanosPerCall: 1000 },
    ]);
    // Wilson, by hand: 1 of 3, and 0 of 1.
    expect(models.map(({ errors }) => errors)).toEqual([
      { n: 3, mean: 1 / 3, low: expect.closeTo(0.0615, 4), high: expect.closeTo(0.7923, 4) },
      { n: 1, mean: 0, low: 0, high: expect.closeTo(0.7935, 4) },
    ]);
  });

  it("credits the model that answered, and tells which one was asked for", async () => {
    const { projectId: ownId, byRole } = await createPeople(service);
    const at = (call: Partial<InferenceRow>, index: number) =>
      inferenceRow({ id: idAt(AT, index + 20), projectId: ownId, ...call });
    const routed = { model: "large", servedModel: "small", deviation: "routed", costNanos: 1000 };
    const rows = [routed, { ...routed, status: "failed" }, { model: "large", servedModel: "large", costNanos: 3000 }];
    const inferences = rows.map(at);
    const rate = (row: InferenceRow | undefined, index: number, booleanValue: boolean) =>
      feedbackRow({
        id: idAt(AT, 200 + index),
        projectId: ownId,
        inferenceId: row?.id ?? "",
        model: "large",
        name: "helpful",
        kind: "boolean",
        booleanValue,
        floatValue: null,
      });
    await writeBatch(service.store, {
      inferences: inferences.map((row) => ({ row, attempts: [], request: undefined, response: undefined })),
      feedback: [rate(inferences[0], 0, true)],
    });
    // Later, as most feedback comes.
    await writeBatch(service.store, { inferences: [], feedback: [rate(inferences[2], 1, false)] });
    const { data } = await byRole.viewer.query("models.compare", { projectId: ownId, ...RANGE });
    expect(data).toMatchObject({
      models: [
        { model: "small", calls: 2, askedCalls: 0, asked: [{ model: "large", calls: 2 }], errors: { mean: 0.5 } },
        { model: "large", calls: 1, askedCalls: 3, asked: [{ model: "large", calls: 1 }], costNanosPerCall: 3000 },
      ],
      metrics: [
        {
          name: "helpful",
          means: [
            { model: "small", n: 1, mean: 1 },
            { model: "large", n: 1, mean: 0 },
          ],
        },
      ],
    });
  });

  it("has the quality of each model with its interval, and says who is ahead only where they do not overlap", async () => {
    const { metrics } = await compare({ workload: "support" });
    // Student, by hand: 0.8 ± 4.3027 × 0.1 / √3, and 0.4 ± 12.7062 × 0.1414 / √2. Scores of 0 to 1 have such a mean.
    expect(metrics).toEqual([
      {
        name: "quality",
        kind: "float",
        optimize: "max",
        ahead: null,
        means: [
          {
            model: "large",
            n: 3,
            mean: expect.closeTo(0.8, 9),
            low: expect.closeTo(0.5516, 4),
            high: 1,
          },
          {
            model: "small",
            n: 2,
            mean: expect.closeTo(0.4, 9),
            low: 0,
            high: 1,
          },
        ],
      },
    ]);
  });

  it.each([
    {
      workload: undefined,
      expected: [
        ["large", 3],
        ["small", 3],
      ],
    },
    { workload: "", expected: [["small", 1]] },
    { workload: "search", expected: [["small", 1]] },
    { workload: "unknown", expected: [] },
  ])("takes the calls of the workload '$workload'", async ({ workload, expected }) => {
    const { models } = await compare(workload === undefined ? {} : { workload });
    expect(models.map(({ model, calls }) => [model, calls])).toEqual(expected);
  });

  it("has nothing where nothing was called", async () => {
    const { models, metrics } = await compare({ from: "2026-10-01T00:00:00Z", to: "2026-10-02T00:00:00Z" });
    expect([models, metrics]).toEqual([[], []]);
  });

  it.each([
    [{ range: "24h", from: RANGE.from }, "from: works only with the range custom"],
    [{ range: "24h", workload: 7 }, "workload: must be a text"],
    [{ range: "24h", workload: "x".repeat(1001) }, "workload: must have 1000 characters or fewer"],
  ])("refuses %j", async (input, message) => {
    const { status, error } = await viewer.query("models.compare", { projectId, ...input });
    expect([status, error?.message]).toEqual([400, message]);
  });
});
