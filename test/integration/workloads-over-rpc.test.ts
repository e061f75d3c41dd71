import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ErrorDetailSchema, ErrorReason } from "../../gen/attune/error/v1/error_pb.ts";
import {
  DecisionUnit,
  Direction,
  FeedbackExtent,
  Hold,
  LearningMode,
  MetricType,
  Objective,
  WorkloadService,
} from "../../gen/attune/workload/v1/workload_pb.ts";
import { BadRequestSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { newId } from "../../src/lib/ids.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { setControls } from "../../src/store/learning/control-store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { said, served, write } from "../store/learning/fill.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait.ts";

const BASE = "claude-fable-5-2";
const OTHER = "gpt-6-astra";
const projectId = DEFAULT_PROJECT.id;

/** Whose answer to what is asked: the code, the detail's reason and the fields that are wrong. */
async function failureOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => ConnectError.from(thrown),
  );
  const fields = error?.findDetails(BadRequestSchema)[0]?.fieldViolations.map(({ field }) => field);
  return { code: error?.code, reason: error?.findDetails(ErrorDetailSchema)[0]?.reason, fields };
}

const INVALID = { code: Code.InvalidArgument, reason: ErrorReason.INVALID_REQUEST };

describe.each(ENGINES)("attune.workload.v1 on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: TestService;
  let controlKey: string;

  beforeAll(async () => {
    service = await startTestService({ databaseUrl: databases.url });
    ({ key: controlKey } = await createKey(service.store, { name: "controls", permissions: ["control-workloads"] }));
    await teach();
  });

  afterAll(() => service.close());

  const clientOn = (transport: Transport) => createClient(WorkloadService, transport);
  const client = () => clientOn(createGrpcTransport({ baseUrl: service.url }));
  const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
  const asReader = () => as(service.key);
  const asController = () => as(controlKey);

  /**
   * The other one answers each sixth of 240 calls, and is always right; base is right in 80 of 200. Each answer is
   * longer than the last.
   */
  async function teach(): Promise<void> {
    const rows = Array.from({ length: 240 }, (_, index) =>
      served({ projectId, model: BASE, servedModel: index % 6 === 5 ? OTHER : BASE }),
    );
    const createdAt = new Date();
    const feedback = rows.flatMap((row, index) => [
      said(row, index % 6 === 5 || index % 3 === 0, { createdAt, name: "right" }),
      said(row, 100 + index, { createdAt, name: "words", optimize: "min" }),
    ]);
    await writeBatch(service.store, { inferences: rows.map(write), feedback });
    const lone = served({ projectId, model: OTHER, servedModel: OTHER });
    await writeBatch(service.store, { inferences: [write(lone)], feedback: [said(lone, true)] });
    await waitUntil(async () => {
      const { workloads } = await client().listWorkloads({}, asReader());
      return workloads.length === 2 && workloads[0]?.rewards === 240n && workloads[1]?.rewards === 1n;
    });
  }

  it("lists workloads in pages, over Connect with GET too", async () => {
    const { workloads, nextPageToken } = await client().listWorkloads({}, asReader());
    expect(workloads.map(({ model }) => model)).toEqual([`attune/${BASE}`, `attune/${OTHER}`]);
    expect(nextPageToken).toBe("");
    expect(workloads[0]).toMatchObject({ rewards: 240n, controls: { mode: LearningMode.OBSERVE, hold: Hold.FREE } });
    expect(Number(workloads[0]?.updatedAt?.seconds) * 1000).toBeGreaterThan(Date.now() - 60_000);
    const viaGet = clientOn(createConnectTransport({ baseUrl: service.url, httpVersion: "1.1", useHttpGet: true }));
    const first = await viaGet.listWorkloads({ pageSize: 1 }, asReader());
    expect(first).toMatchObject({ workloads: [workloads[0]], nextPageToken: `attune/${BASE}` });
    const second = await viaGet.listWorkloads({ pageSize: 1, pageToken: first.nextPageToken }, asReader());
    expect(second).toMatchObject({ workloads: [workloads[1]], nextPageToken: "" });
  });

  it("tells what was learned of a workload", async () => {
    const { workload } = await client().getWorkload({ model: `attune/${BASE}` }, asReader());
    expect(workload).toMatchObject({
      model: `attune/${BASE}`,
      rewards: 240n,
      families: 1,
      exposure: 40 / 240,
      unreadable: "",
      controls: {
        mode: LearningMode.OBSERVE,
        hold: Hold.FREE,
        pinnedModel: "",
        excludedModels: [],
        objective: Objective.QUALITY,
        feedback: FeedbackExtent.VOLUNTARY,
      },
      workloadControls: { mode: LearningMode.UNSPECIFIED, hold: Hold.UNSPECIFIED },
    });
    expect(workload?.version).toBeGreaterThan(0n);
    const [family, ...others] = workload?.promptFamilies ?? [];
    expect(family).toMatchObject({ name: "tag:a", requests: 240, model: `attune/${OTHER}` });
    expect(others).toEqual([]);
    expect(family?.estimate?.value).toBeGreaterThan(family?.base?.value ?? 1);
    expect(family?.estimate?.low).toBeLessThan(family?.estimate?.value ?? 0);
    const arms = new Map(workload?.arms.map((arm) => [arm.model, arm]));
    const [base, other] = [arms.get(`attune/${BASE}`), arms.get(`attune/${OTHER}`)];
    // Each event's reward is the mean of whether it was right, and of how few words it had among those before.
    expect(base).toMatchObject({ isBase: true, rewards: 200, advantage: 0, relativePrice: 1 });
    expect(base?.prior).toBeUndefined();
    expect(other).toMatchObject({ isBase: false, rewards: 40 });
    expect(base?.mean).toBeLessThan(other?.mean ?? 0);
    expect(other?.advantage).toBeGreaterThan(0);
    for (const { estimate } of workload?.arms ?? []) {
      expect(estimate?.low).toBeLessThan(estimate?.value ?? 0);
      expect(estimate?.high).toBeGreaterThan(estimate?.value ?? 1);
    }
    const finding = { model: `attune/${OTHER}`, rewards: 40, comparisons: 0, relativeCost: other?.relativePrice };
    expect(workload?.finding).toMatchObject(finding);
    // Of 240 calls that would each have cost base a thousand nanodollars.
    expect(workload?.finding?.savedUsd).toBeCloseTo(-0.000012, 9);
    expect(workload?.finding?.judgeAgreement).toBeUndefined();
    expect(workload?.finding?.low).toBeGreaterThan(0);
    expect(workload?.finding?.summary).toMatch(
      /^attune\/gpt-6-astra would answer \d+% better \(\d+% to \d+%\) at x1.05 of /,
    );
    expect(workload?.metrics).toMatchObject([
      { name: "right", type: MetricType.BOOLEAN, direction: Direction.MAX, values: 240n },
      { name: "words", type: MetricType.NUMBER, direction: Direction.MIN, values: 240n },
    ]);
    expect(workload?.metrics[0]?.meanReward).toBeCloseTo((40 + 80) / 240);
    expect(workload?.regretBudgets.map(({ name }) => name)).toEqual([
      ...["rewards", "complaints", "attune.success", "attune.answered", "attune.speed"],
    ]);
    expect(workload?.hasRegretRoom).toBe(true);
    for (const { hasRoom, regret, allowed } of workload?.regretBudgets ?? [])
      expect([hasRoom, regret < allowed]).toEqual([true, true]);
  });

  it("tells of models that nothing was learned of, and of those that are not there", async () => {
    const { data } = (await (await fetch(`${service.url}/v1/models`, { headers: service.headers })).json()) as {
      data: { id: string }[];
    };
    const untaught = data.map(({ id }) => id).find((id) => !id.endsWith(BASE) && !id.endsWith(OTHER)) ?? "";
    const { workload } = await client().getWorkload({ model: untaught }, asReader());
    expect(workload).toMatchObject({
      model: untaught,
      version: 0n,
      arms: [],
    });
    expect([workload?.updatedAt, workload?.exposure]).toEqual([undefined, undefined]);
    for (const model of ["attune/none", "none", "attune/", "attune/ü"]) {
      const gone = { code: Code.NotFound, reason: ErrorReason.MODEL_NOT_FOUND };
      expect(await failureOf(client().getWorkload({ model }, asReader())), model).toMatchObject(gone);
    }
    const invalid = { code: Code.InvalidArgument, reason: ErrorReason.INVALID_REQUEST };
    expect(await failureOf(client().getWorkload({ model: "attune/\u0000" }, asReader()))).toMatchObject(invalid);
  });

  it("tells what happened, with its evidence, in pages", async () => {
    const model = `attune/${BASE}`;
    const all = await client().listWorkloadHistory({ model }, asReader());
    const kinds = all.events.map(({ event }) => event.case);
    expect(kinds).toContain("begun");
    expect(kinds).toContain("switched");
    const switched = all.events.find(({ event }) => event.case === "switched")?.event;
    expect(switched?.value).toMatchObject({
      family: "tag:a",
      fromModel: model,
      toModel: `attune/${OTHER}`,
      rewards: 240,
    });
    const {
      fromEstimate = 1,
      toEstimate = 0,
      toStandardError = 0,
    } = switched?.case === "switched" ? switched.value : {};
    expect(toEstimate).toBeGreaterThan(fromEstimate);
    expect(toStandardError).toBeGreaterThan(0);
    const first = await client().listWorkloadHistory({ model, pageSize: 1 }, asReader());
    expect(first).toMatchObject({ events: [all.events[0]], nextPageToken: all.events[0]?.id });
    const pageToken = first.nextPageToken;
    const second = await client().listWorkloadHistory({ model, pageSize: 200, pageToken }, asReader());
    expect(second).toMatchObject({ events: all.events.slice(1), nextPageToken: "" });
  });

  it("changes what is named, and nothing else", async () => {
    const model = `attune/${OTHER}`;
    const update = (controls: object, ...paths: string[]) =>
      client().updateControls(
        { target: { case: "model", value: model }, controls, updateMask: { paths } },
        asController(),
      );
    const pinned = { hold: Hold.PINNED, pinnedModel: `attune/${BASE}` };
    expect((await update({ mode: LearningMode.ON, ...pinned }, "mode", "hold")).controls).toMatchObject({
      mode: LearningMode.ON,
      ...pinned,
    });
    const excludedModels = [`attune/${BASE}`];
    const rest = { objective: Objective.COST, rewardPerPrice: 0, feedback: FeedbackExtent.COMPLETE, excludedModels };
    const { controls } = await update(rest, "objective", "reward_per_price", "feedback", "excluded_models");
    expect(controls).toMatchObject({ mode: LearningMode.ON, ...pinned, ...rest });
    const read = async () => (await client().getWorkload({ model }, asReader())).workload;
    expect(await read()).toMatchObject({
      workloadControls: controls,
      controls: { mode: LearningMode.ON, ...pinned, ...rest },
    });
    const judge = `attune/${OTHER}`;
    const shadow = { share: 0, judge, secondJudge: `attune/${BASE}`, usdPerDay: 2.5, rubric: "Short." };
    const paths = [
      "unit",
      "shadow.share",
      "shadow.judge",
      "shadow.usd_per_day",
      "shadow.rubric",
      "shadow.second_judge",
    ];
    const tried = await update({ unit: DecisionUnit.REQUEST, shadow }, ...paths);
    expect(tried.controls).toMatchObject({ ...rest, unit: DecisionUnit.REQUEST, shadow });
    expect((await read())?.controls).toMatchObject({ unit: DecisionUnit.REQUEST, shadow });
    const { events: latest } = await client().listWorkloadHistory({ model, pageSize: 1 }, asReader());
    expect(latest[0]?.event).toMatchObject({ value: { controls: { unit: DecisionUnit.REQUEST, shadow } } });
    const { value } = latest[0]?.event ?? {};
    expect(value !== undefined && "changed" in value ? value.changed?.paths.toSorted() : []).toEqual(paths.toSorted());
    await update({ shadow: { usdPerDay: 1 } }, "shadow.usd_per_day", "shadow.rubric");
    expect((await read())?.workloadControls?.shadow).toMatchObject({ share: 0, judge, usdPerDay: 1 });
    await update({}, ...paths);
    const inherited = (await read())?.workloadControls;
    expect([inherited?.unit, inherited?.shadow]).toEqual([DecisionUnit.UNSPECIFIED, undefined]);
    // Named and unspecified: left to the project, and there to the configuration.
    await update({}, "mode", "hold", "excluded_models", "objective", "reward_per_price", "feedback");
    const before = await read();
    expect([before?.workloadControls?.rewardPerPrice, before?.controls?.rewardPerPrice]).toEqual([undefined, 0.005]);
    expect(before?.workloadControls).toMatchObject({
      mode: LearningMode.UNSPECIFIED,
      hold: Hold.UNSPECIFIED,
      pinnedModel: "",
    });
    expect(before?.controls).toMatchObject({ mode: LearningMode.OBSERVE, hold: Hold.FREE, excludedModels: [] });
    const whole = { case: "allWorkloads", value: true } as const;
    const frozen = { target: whole, controls: { hold: Hold.FROZEN }, updateMask: { paths: ["hold"] } };
    expect((await client().updateControls(frozen, asController())).controls).toMatchObject({ hold: Hold.FROZEN });
    expect(await read()).toMatchObject({
      workloadControls: before?.workloadControls,
      projectControls: { hold: Hold.FROZEN },
      controls: { hold: Hold.FROZEN },
    });
    await client().updateControls({ ...frozen, controls: {} }, asController());
    const { events } = await client().listWorkloadHistory({ model, pageSize: 3 }, asReader());
    expect(events.map(({ event }) => event)).toMatchObject([
      { value: { changed: { paths: ["hold"] }, allWorkloads: true, controls: { hold: Hold.UNSPECIFIED } } },
      { case: "controlsChanged", value: { allWorkloads: true, controls: { hold: Hold.FROZEN } } },
      { value: { allWorkloads: false, keyId: controlKey.split("_")[1] } },
    ]);
  });

  it("says how metrics count", async () => {
    const model = `attune/${OTHER}`;
    const target = { case: "model" as const, value: model };
    const metrics = [
      { name: "tone", weight: 0, direction: Direction.MIN },
      { name: "words", weight: 0.5, atLeast: -1, atMost: 200 },
    ];
    const updateMask = { paths: ["metrics"] };
    await client().updateControls({ target, controls: { metrics }, updateMask }, asController());
    expect((await client().getWorkload({ model }, asReader())).workload?.controls).toMatchObject({ metrics });
    await client().updateControls({ target, controls: {}, updateMask }, asController());
    expect((await client().getWorkload({ model }, asReader())).workload?.controls?.metrics).toEqual([]);
    for (const wrong of [
      [{ name: "" }],
      [{ name: "a" }, { name: "a" }],
      [{ name: "a\u0000" }],
      [{ name: "a", weight: 2 }],
      [{ name: "a", atMost: Number.NaN }],
      [{ name: "a", atLeast: 2, atMost: 1 }],
      [{ name: "a", direction: 7 }],
    ]) {
      const request: object = { target, controls: { metrics: wrong }, updateMask };
      expect(await failureOf(client().updateControls(request, asController())), JSON.stringify(wrong)).toMatchObject(
        INVALID,
      );
    }
  });

  it("tells of a model that breaks a bound on a metric", async () => {
    const model = `attune/${OTHER}`;
    const metrics = [{ name: "seconds", weight: 0, atMost: 2 }];
    const target = { case: "model" as const, value: model };
    const updateMask = { paths: ["metrics"] };
    await client().updateControls({ target, controls: { metrics }, updateMask }, asController());
    const judged = async () => {
      const { workload } = await client().getWorkload({ model }, asReader());
      return workload?.arms.find((arm) => arm.model === `attune/${BASE}`)?.constraints[0];
    };
    // The learner hears of the bound within a second; what is said before is not held against it.
    let written = 0n;
    await waitUntil(async () => {
      const row = served({ projectId, model: OTHER, servedModel: BASE });
      await writeBatch(service.store, { inferences: [write(row)], feedback: [said(row, 3, { name: "seconds" })] });
      written++;
      return (await judged())?.isBroken;
    });
    // What is learned later would be learned by the tests that follow.
    await waitUntil(async () => {
      const { workload } = await client().getWorkload({ model }, asReader());
      return workload?.metrics.find(({ name }) => name === "seconds")?.values === written;
    });
    expect(await judged()).toMatchObject({ metric: "seconds", bound: { case: "atMost", value: 2 }, mean: 3 });
    expect((await judged())?.values).toBeGreaterThanOrEqual(10);
    const { events } = await client().listWorkloadHistory({ model }, asReader());
    expect(events.find(({ event }) => event.case === "constraintJudged")?.event.value).toMatchObject({
      model: `attune/${BASE}`,
      broken: [{ metric: "seconds", isBroken: true }],
    });
    await client().updateControls({ target, controls: {}, updateMask }, asController());
  });

  it("refuses changes that say what is not there, or what they do not name", async () => {
    const update = (request: object) => failureOf(client().updateControls(request, asController()));
    const target = { case: "model", value: `attune/${BASE}` };
    const mask = (...paths: string[]) => ({ updateMask: { paths } });
    const pinned = { hold: Hold.PINNED };
    for (const [request, field] of [
      [{ controls: {}, ...mask("mode") }, ""],
      [{ target, controls: {} }, "update_mask"],
      [{ target, controls: {}, ...mask() }, "update_mask"],
      [{ target, controls: {}, ...mask("Mode") }, "update_mask"],
      [{ target, controls: {}, ...mask("constructor") }, "update_mask"],
      [{ target, controls: { mode: LearningMode.OFF }, ...mask("hold") }, "controls.mode"],
      [{ target, controls: pinned, ...mask("hold") }, "controls.pinned_model"],
      [{ target, controls: { ...pinned, pinnedModel: "attune/none" }, ...mask("hold") }, "controls.pinned_model"],
      [{ target, controls: { pinnedModel: `attune/${BASE}` }, ...mask("hold") }, "controls.pinned_model"],
      [{ target, controls: { excludedModels: ["none"] }, ...mask("excluded_models") }, "controls.excluded_models[0]"],
      [{ target, controls: { mode: 9 }, ...mask("mode") }, "controls.mode"],
      [{ target: { case: "allWorkloads", value: false }, ...mask("mode") }, "all_workloads"],
    ] as const) {
      const failure = await update(request);
      expect(failure, JSON.stringify(request)).toMatchObject(INVALID);
      if (field !== "") expect(failure.fields).toContain(field);
    }
    const gone = { target: { ...target, value: "attune/none" }, controls: {}, ...mask("mode") };
    expect(await update(gone)).toMatchObject({ code: Code.NotFound, reason: ErrorReason.MODEL_NOT_FOUND });
    for (const wrong of [{ pageSize: -1 }, { pageSize: 1001 }, { pageToken: "x" }, { pageToken: "attune/\u0000" }]) {
      expect(await failureOf(client().listWorkloads(wrong, asReader()))).toMatchObject(INVALID);
    }
    const history = { model: `attune/${BASE}`, pageToken: "not an id" };
    expect(await failureOf(client().listWorkloadHistory(history, asReader()))).toMatchObject(INVALID);
  });

  it("lets keys change nothing that may not, and see their own project only", async () => {
    const model = `attune/${BASE}`;
    const denied = { code: Code.PermissionDenied, reason: ErrorReason.PERMISSION_DENIED };
    const freeze = {
      target: { case: "model" as const, value: model },
      controls: { hold: Hold.FROZEN },
      updateMask: { paths: ["hold"] },
    };
    expect(await failureOf(client().updateControls(freeze, asReader()))).toMatchObject(denied);
    expect(await failureOf(client().resetWorkload({ model }, asReader()))).toMatchObject(denied);
    expect((await client().getWorkload({ model }, asReader())).workload).toMatchObject({
      rewards: 240n,
      controls: { hold: Hold.FREE },
    });
    const strange = { id: newId(), name: "strange", createdAt: new Date() };
    await service.store.query().insertInto("Project").values(strange).execute();
    const { key } = await createKey(service.store, {
      name: "stranger",
      projectId: strange.id,
      permissions: ["control-workloads"],
    });
    expect((await client().listWorkloads({}, as(key))).workloads).toEqual([]);
    expect((await client().getWorkload({ model }, as(key))).workload).toMatchObject({ rewards: 0n, arms: [] });
    expect((await client().listWorkloadHistory({ model }, as(key))).events).toEqual([]);
    await client().updateControls(freeze, as(key));
    expect(await failureOf(client().resetWorkload({ model }, as(key)))).toMatchObject({ code: Code.NotFound });
    expect((await client().getWorkload({ model }, asReader())).workload).toMatchObject({
      rewards: 240n,
      controls: { hold: Hold.FREE },
    });
    expect(await failureOf(client().listWorkloads({}))).toMatchObject({ code: Code.Unauthenticated });
  });

  it("tells of what other means said, and has a workload begin anew", async () => {
    const model = `attune/${OTHER}`;
    await setControls(service.store, { projectId, model: OTHER }, { hold: "frozen", pinned: null });
    await client().resetWorkload({ model }, asController());
    const { workload } = await client().getWorkload({ model }, asReader());
    expect(workload).toMatchObject({ rewards: 0n, arms: [], controls: { hold: Hold.FROZEN } });
    const { events } = await client().listWorkloadHistory({ model, pageSize: 2 }, asReader());
    expect(events.map(({ event }) => event)).toMatchObject([
      { case: "reset", value: { keyId: controlKey.split("_")[1] } },
      { case: "controlsChanged", value: { keyId: "", changed: { paths: ["hold"] }, controls: { hold: Hold.FROZEN } } },
    ]);
    const entries = service.store.query().selectFrom("AuditEntry").selectAll().orderBy("sequence");
    const ofKey = await entries.where("actorId", "=", controlKey.split("_")[1] ?? "").execute();
    expect(new Set(ofKey.map(({ action }) => action))).toEqual(new Set(["learning.setControls", "learning.reset"]));
    expect(ofKey.at(-1)).toMatchObject({
      actorKind: "key",
      via: "rpc",
      requestId: expect.any(String),
      targetId: OTHER,
    });
    const before = workload?.version;
    expect((await client().listWorkloads({}, asReader())).workloads[1]).toMatchObject({ rewards: 0n, version: before });
  });
});
