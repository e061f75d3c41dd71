import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import { createKey } from "../../../../src/store/keys/key-repository.ts";
import { createShadowStore } from "../../../../src/store/learning/shadow-store.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { feedbackRow, inferenceRow } from "../../../support/rows.ts";
import { shadowRecord } from "../../../support/shadow-record.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople, type People } from "../../people.ts";

const BASE = "gpt-6-astra";
const GOOD = "claude-haiku-5-5";
const NO_MODEL = "isn't in the catalog: GET /v1/models lists them";

/** Providers, which no test calls: what is learned of made-up answers is told of nowhere. */
const PROVIDERS = `
upstreams:
  openai: { kind: openai-responses, baseUrl: "http://127.0.0.1:1/v1", apiKey: none }
  anthropic: { kind: anthropic-messages, baseUrl: "http://127.0.0.1:1", apiKey: none }
learning: { mode: observe, models: any }
`;

interface Estimate {
  readonly worth: number;
  readonly low: number;
  readonly high: number;
}
interface Arm extends Estimate {
  readonly model: string;
  readonly isBase: boolean;
  readonly rewards: number;
  readonly ahead: Estimate | null;
}
interface Row {
  readonly model: string;
  readonly standing: string;
  readonly learned: { readonly rewards: number; readonly arms: readonly Arm[] } | null;
}
interface Details {
  readonly standing: string;
  readonly own: Readonly<Record<string, unknown>>;
  readonly holds: Readonly<Record<string, unknown>>;
  readonly learned: {
    readonly rewards: number;
    readonly figures: { readonly arms: readonly Arm[]; readonly accounts: readonly { readonly name: string }[] } | null;
    readonly families: readonly Readonly<Record<string, unknown>>[];
    readonly judge: object | null;
    readonly finding: { readonly model: string; readonly rewards: number } | null;
  } | null;
  readonly shadow: object | null;
  readonly usage: { readonly total: object; readonly steps: readonly object[]; readonly buckets: readonly object[] };
  readonly course: { readonly steps: readonly { readonly rewards: number; readonly arms: object }[] };
}

describe.each(ENGINES)("what is learned, in the dashboard on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
  });

  afterAll(() => service.close());

  const read = async ({ projectId, byRole }: People, model = BASE, range: object = { range: "24h" }) => {
    const { data, error } = await byRole.viewer.query("learning.read", { projectId, model, ...range });
    expect(error).toBeUndefined();
    return data as Details;
  };
  const list = async ({ projectId, byRole }: People) => {
    const { data } = await byRole.viewer.query("learning.list", { projectId, range: "24h" });
    return data as { workloads: Row[]; project: object; models: string[] };
  };
  const history = async ({ projectId, byRole }: People) => {
    const { data } = await byRole.viewer.query("learning.history", { projectId, model: BASE });
    return (data as { kind: string; detail: object; isOfProject: boolean }[]).map(({ kind, detail, isOfProject }) => ({
      kind,
      detail,
      isOfProject,
    }));
  };
  const control = async ({ projectId, byRole }: People, changes: object, model = BASE) => {
    const answer = await byRole.developer.mutate("learning.setControls", { projectId, model, ...changes });
    expect(answer.error).toBeUndefined();
  };

  /**
   * A project in which another model is right where base is wrong; base costs 100, the other, which answers each fifth
   * call, 40.
   */
  async function begin(calls = 60): Promise<People> {
    const people = await createPeople(service);
    const { projectId } = people;
    const rows = Array.from({ length: calls }, (_, index): InferenceRow => {
      const isRouted = index % 5 === 4;
      return inferenceRow({
        projectId,
        model: BASE,
        servedModel: isRouted ? GOOD : BASE,
        family: "tag:poems",
        workload: "poems",
        deviation: isRouted ? "routed" : "none",
        costNanos: isRouted ? 40 : 100,
        baseCostNanos: 100,
      });
    });
    await writeBatch(service.store, {
      inferences: rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined })),
      feedback: rows.map(({ id, servedModel }) =>
        feedbackRow({
          projectId,
          inferenceId: id,
          model: BASE,
          name: "ok",
          kind: "boolean",
          floatValue: null,
          booleanValue: servedModel === GOOD,
        }),
      ),
    });
    await expect.poll(async () => (await read(people)).learned?.rewards).toBe(calls);
    return people;
  }

  it("lists each workload with what it cost, who is best, and how it stands", async () => {
    const people = await begin();
    const { workloads, project, models } = await list(people);
    expect(models).toEqual([BASE, "claude-fable-5-2", "claude-sonnet-5-5", GOOD]);
    expect(project).toMatchObject({ mode: null, configured: { mode: "observe" } });
    expect(workloads).toEqual([
      expect.objectContaining({
        model: BASE,
        isServed: true,
        mode: "observe",
        standing: "observing",
        pinned: null,
        calls: 60,
        routedCalls: 12,
        entries: 60,
        costNanos: 5280,
        baseCostNanos: 6000,
      }),
    ]);
    const [base, best] = workloads[0]?.learned?.arms ?? [];
    expect([base?.model, base?.isBase, base?.rewards, base?.ahead?.worth]).toEqual([BASE, true, 48, 0]);
    expect([best?.model, best?.rewards]).toEqual([GOOD, 12]);
    expect(best?.ahead?.worth).toBeGreaterThan(0.5);
    expect(best?.ahead?.low).toBeGreaterThan(0.2);
  });

  it("shows one: its models, families, accounts, costs by the hour, and its course until now", async () => {
    const details = await read(await begin());
    expect(details).toMatchObject({
      model: BASE,
      isServed: true,
      entries: 60,
      standing: "observing",
      holds: { mode: "observe", hold: null, excluded: [], objective: "quality", feedback: "voluntary" },
    });
    expect(details.learned?.families).toEqual([
      expect.objectContaining({ name: "tag:poems", requests: 60, rewards: 60, chosen: GOOD }),
    ]);
    expect(details.learned?.figures?.accounts.map(({ name }) => name)).toEqual([
      ...["rewards", "complaints", "attune.success", "attune.answered", "attune.speed"],
    ]);
    expect(details.usage.total).toEqual({ calls: 60, routedCalls: 12, costNanos: 5280, baseCostNanos: 6000 });
    expect(details.usage.steps).toHaveLength(details.usage.buckets.length);
    expect(details).toMatchObject({ shadow: null, learned: { judge: null } });
    expect(details.course.steps.length).toBeGreaterThan(0);
    expect(Object.keys(details.course.steps.at(-1)?.arms ?? {})).toContain(GOOD);
  });

  it("tells what on would do in observed workloads alone, and of no excluded model", async () => {
    const sandboxed = service;
    service = await startDashboardService({ databaseUrl: databases.url, configText: PROVIDERS });
    try {
      const people = await begin(120);
      const outlooks = async () => {
        const { data } = await people.byRole.viewer.query("learning.outlooks", { projectId: people.projectId });
        return data as { model: string; outlook: { low: number; rewards: number } }[];
      };
      expect(await outlooks()).toEqual([{ model: BASE, outlook: expect.objectContaining({ rewards: 120 }) }]);
      expect((await outlooks())[0]?.outlook.low).toBeGreaterThan(0);
      expect((await read(people)).learned?.finding).toMatchObject({ model: GOOD, rewards: 24, comparisons: 0 });
      await control(people, { mode: "on", excluded: [GOOD] });
      expect(await outlooks()).toEqual([]);
      expect((await read(people)).learned?.finding).toBeNull();
    } finally {
      await service.close();
      service = sandboxed;
    }
  });

  it("shows shadow trials of one, what they cost, and how far their judge is right", async () => {
    const people = await begin();
    const { projectId } = people;
    const shadow = createShadowStore(service.store);
    const reservation = (await shadow.reserve({ budget: "", mostNanos: 1e9 }, 0)) ?? { day: 0, budget: "", nanos: 0 };
    const facts = { projectId, model: BASE, family: "tag:poems", servedModel: BASE };
    await shadow.write(shadowRecord({ ...facts, trialModel: GOOD }), reservation);
    for (const reward of [1, 0]) {
      const check = { kind: "check", trialModel: null, trialGood: null, servedGood: reward === 1, reward } as const;
      await shadow.write(shadowRecord({ ...facts, ...check }), reservation);
    }
    const judge = { liked: 1, disliked: 1, silent: 0, weight: 0 };
    await expect.poll(async () => (await read(people)).learned?.judge).toMatchObject(judge);
    expect((await read(people)).shadow).toEqual({ trials: 1, checks: 2, costNanos: 1800 });
    // They are in no figure of the project.
    expect((await read(people)).usage.total).toMatchObject({ calls: 60, costNanos: 5280 });
  });

  it("shows a model that is served and was never called, and none that nobody knows", async () => {
    const people = await createPeople(service);
    expect(await read(people, GOOD)).toMatchObject({ learned: null, standing: "waiting", course: { steps: [] } });
    const { projectId, byRole } = people;
    for (const model of ["", "no-model"]) {
      const { status, error } = await byRole.viewer.query("learning.read", { projectId, model, range: "24h" });
      expect([status, error?.message]).toEqual([404, "there is no such workload"]);
    }
  });

  it("tells nobody of another project's workloads", async () => {
    await begin();
    const other = await createPeople(service);
    expect((await list(other)).workloads).toEqual([]);
    expect((await read(other)).learned).toBeNull();
    expect(await history(other)).toEqual([]);
    const { error } = await other.byRole.developer.mutate("learning.reset", {
      projectId: other.projectId,
      model: BASE,
    });
    expect(error?.message).toBe(`nothing was learned of the workload '${BASE}'`);
  });

  it("takes controls of a workload and of the project, shows them at once, and tells of them with who said so", async () => {
    const people = await begin(5);
    await control(people, { mode: "on", hold: "frozen", excluded: [GOOD] }, "");
    expect(await read(people)).toMatchObject({
      standing: "frozen",
      holds: { mode: "on", hold: { kind: "frozen" }, excluded: [GOOD] },
      own: { mode: null, hold: null },
      ofProject: { mode: "on", hold: "frozen", excluded: [GOOD] },
    });
    await control(people, { hold: "pinned", pinned: GOOD });
    expect((await list(people)).workloads).toMatchObject([{ standing: "pinned", pinned: GOOD, mode: "on" }]);
    await control(people, { hold: "free" });
    expect(await read(people)).toMatchObject({ standing: "learning", own: { hold: "free", pinned: null } });
    const by = expect.stringMatching(/@example\.com$/);
    expect((await history(people)).filter(({ kind }) => kind === "controls")).toEqual([
      { kind: "controls", detail: { changes: { hold: "free", pinned: null }, by }, isOfProject: false },
      { kind: "controls", detail: { changes: { hold: "pinned", pinned: GOOD }, by }, isOfProject: false },
      {
        kind: "controls",
        isOfProject: true,
        detail: { changes: { mode: "on", hold: "frozen", excluded: [GOOD] }, by },
      },
    ]);
  });

  it("takes what is said of metrics each by itself, and tells which there are", async () => {
    const people = await begin(5);
    const ofProject = [{ name: "tone", weight: 0.5 }];
    await control(people, { metrics: ofProject }, "");
    expect(await read(people)).toMatchObject({
      metrics: ["ok"],
      own: { metrics: null },
      ofProject: { metrics: ofProject },
      holds: { metrics: ofProject },
    });
    expect(await list(people)).toMatchObject({ metrics: ["ok"], project: { metrics: ofProject } });
    await control(people, { metrics: [{ name: "words", weight: 0, direction: "min", atLeast: -1.5, atMost: 100 }] });
    await control(people, { metrics: [{ name: "ok", atLeast: 0.8 }], mode: "on" });
    const own = [
      { name: "words", weight: 0, direction: "min", atLeast: -1.5, atMost: 100 },
      { name: "ok", atLeast: 0.8 },
    ];
    expect(await read(people)).toMatchObject({ own: { metrics: own, mode: "on" }, holds: { metrics: own } });
    await control(people, { metrics: [{ name: "words", weight: 1 }, { name: "ok" }] });
    expect((await read(people)).own).toMatchObject({ metrics: [{ name: "words", weight: 1 }], mode: "on" });
    await control(people, { metrics: [{ name: "words" }] });
    expect((await read(people)).own).toMatchObject({ metrics: null });
    const by = expect.stringMatching(/@example\.com$/);
    expect((await history(people))[0]).toEqual({
      kind: "controls",
      isOfProject: false,
      detail: { changes: { metrics: null }, by },
    });
  });

  it("has two people say something of metrics at once, and keeps both", async () => {
    const people = await begin(5);
    const names = Array.from({ length: 8 }, (_, at) => `metric-${at}`);
    await control(people, { metrics: [{ name: "first", weight: 0 }] });
    await Promise.all(names.map((name) => control(people, { metrics: [{ name, weight: 0 }] })));
    const { own } = await read(people);
    expect((own["metrics"] as { name: string }[]).map(({ name }) => name).sort()).toEqual(["first", ...names]);
  });

  it("has something said of 100 metrics at most", async () => {
    const { projectId, byRole } = await createPeople(service);
    const say = (from: number, count: number) =>
      byRole.developer.mutate("learning.setControls", {
        projectId,
        model: BASE,
        metrics: Array.from({ length: count }, (_, at) => ({ name: `m${from + at}`, weight: 0 })),
      });
    expect((await say(0, 100)).error).toBeUndefined();
    expect((await say(0, 101)).error?.message).toBe("metrics: must contain no more than 100 item(s)");
    expect((await say(0, 1)).error).toBeUndefined();
    expect((await say(100, 1)).error?.message).toBe("metrics: something can be said of 100 metrics at most");
  });

  it("has the very next request answered as was said", async () => {
    const people = await begin(5);
    const { key } = await createKey(service.store, { projectId: people.projectId, name: "test" });
    const ask = async () => {
      const headers = {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "attune-workload": "poems",
      };
      const body = JSON.stringify({ model: `attune/${BASE}`, messages: [{ role: "user", content: "Hello" }] });
      const response = await fetch(`${service.url}/v1/chat/completions`, { method: "POST", headers, body });
      await response.body?.cancel();
      return [response.headers.get("attune-deviation"), response.headers.get("attune-served-by")];
    };
    // The first requests on a workload that a process does not know yet are served while it is read.
    await control(people, { mode: "on", hold: "pinned", pinned: GOOD });
    await expect.poll(ask).toEqual(["routed", `sandbox; model=${GOOD}`]);
    await control(people, { hold: "frozen" });
    expect((await ask())[0]).toBe("none");
    await control(people, { hold: "pinned", pinned: GOOD });
    expect((await ask())[0]).toBe("routed");
    await control(people, { excluded: [GOOD] });
    expect((await ask())[0]).toBe("none");
  });

  it("forgets what was learned, and says so", async () => {
    const people = await begin(5);
    const { projectId, byRole } = people;
    const { error } = await byRole.developer.mutate("learning.reset", { projectId, model: BASE });
    expect(error).toBeUndefined();
    expect(await read(people)).toMatchObject({ standing: "waiting", learned: { rewards: 0, figures: null } });
    const by = expect.stringMatching(/@example\.com$/);
    expect((await history(people))[0]).toEqual({ kind: "reset", detail: { by }, isOfProject: false });
  });

  it("says what cannot be read, and goes on", async () => {
    const people = await begin(5);
    const { projectId } = people;
    const { snapshot } = await service.store
      .query()
      .selectFrom("LearnedState")
      .select("snapshot")
      .where("projectId", "=", projectId)
      .executeTakeFirstOrThrow();
    const state = JSON.parse(snapshot ?? "");
    await service.store
      .query()
      .updateTable("LearnedState")
      .set({ snapshot: JSON.stringify({ ...state, policy: { ...state.policy, version: 0 } }) })
      .where("projectId", "=", projectId)
      .execute();
    expect((await list(people)).workloads).toMatchObject([{ model: BASE, learned: null, standing: "waiting" }]);
    expect((await read(people)).learned).toMatchObject({
      figures: null,
      unreadable: expect.stringContaining("version 0"),
    });
  });

  it.each([
    [{ model: "no-model", mode: "on" }, "the model 'no-model' does not exist"],
    [{ mode: "sometimes" }, "mode: must be one of off, observe, on, or null"],
    [{ hold: "pinned" }, `pinned: ${NO_MODEL}`],
    [{ hold: "pinned", pinned: "no-model" }, `pinned: ${NO_MODEL}`],
    [{ hold: "frozen", pinned: GOOD }, "pinned: goes with HOLD_PINNED: set hold to that"],
    [{ pinned: GOOD }, "pinned: goes with HOLD_PINNED: set hold to that"],
    [{ excluded: [GOOD, "no-model"] }, `excluded[1]: ${NO_MODEL}`],
    [{ excluded: GOOD }, "excluded: must be a list"],
    [{ unit: "call" }, "unit: must be one of session, request, or null"],
    [{ shadowShare: 2 }, "shadowShare: must be from 0 to 1"],
    [{ shadowJudge: "no-model" }, `shadowJudge: ${NO_MODEL}`],
    [{ metrics: [{ name: "", weight: 1 }] }, "metrics[0].name: must be at least 1 characters"],
    [{ metrics: [{ name: "ok", weight: 1.5 }] }, "metrics[0].weight: must be from 0 to 1"],
    [{ metrics: [{ name: "ok", weight: "1" }] }, "metrics.0.weight: must be a number"],
    [{ metrics: [{ name: "ok", direction: "up" }] }, "metrics.0.direction: must be max or min"],
    [{ metrics: [{ name: "ok", atLeast: 1, atMost: 0 }] }, "metrics[0]: the lower bound is above the upper bound"],
    [{ metrics: [{ name: "ok", weight: 1 }, { name: "ok" }] }, "metrics[1]: is set twice: set it once"],
  ])("refuses %j", async (input, message) => {
    const { projectId, byRole } = await createPeople(service);
    const answer = await byRole.owner.mutate("learning.setControls", { projectId, model: BASE, ...input });
    const status = message.endsWith("does not exist") ? 404 : 400;
    expect([answer.status, answer.error?.message]).toEqual([status, message]);
  });
});
