import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { Role, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import type { PlannedAttempt, TriableAnswer } from "../../../src/inference/ports.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import type { RewardedAnswer } from "../../../src/learning/ports.ts";
import type { ShadowBudgets, ShadowModels, ShadowRecord, ShadowStore } from "../../../src/learning/shadow/ports.ts";
import { ShadowTrials } from "../../../src/learning/shadow/shadow-trials.ts";
import type { TrialSettings } from "../../../src/learning/shadow/trial-runner.ts";
import type { SubjectQuota } from "../../../src/quotas/quota.ts";
import { QuotaLedger } from "../../../src/quotas/quota-ledger.ts";
import { createShadowBudgets } from "../../../src/quotas/shadow-budgets.ts";

const ARMS = ["base", "good", "judge", "best,best"];
const key = { projectId: "p", model: "base" };

const usage = create(UsageSchema, { inputTokens: 100, outputTokens: 10 });
const saying = (text: string) =>
  create(GenerateResponseSchema, {
    content: [{ kind: { case: "text", value: { text } } }],
    finished: { usage },
  });

const planned = (name: string) => ({ model: { name, maxOutputTokens: 4096 } }) as PlannedAttempt;
const input = createHubInput({
  messages: [{ role: Role.USER, content: [{ kind: { case: "text", value: { text: "?" } } }] }],
});

function answer(given: Partial<TriableAnswer> & { readonly eligible?: readonly number[] } = {}): TriableAnswer {
  const { eligible = [1, 1, 1, 1], ...changes } = given;
  return {
    inferenceId: "i",
    ...key,
    servedModel: "base",
    input,
    response: saying("wrong"),
    promptTokens: 10,
    decision: { arms: ARMS, eligible, family: "tag:a" } as unknown as TriableAnswer["decision"],
    ask: async () => ({ response: saying("right"), usage, costNanos: 7 }),
    ...changes,
  };
}

interface Faked {
  readonly settings?: Partial<TrialSettings & { readonly concurrency: number }>;
  readonly models?: Partial<ShadowModels>;
  readonly store?: Partial<ShadowStore>;
  readonly budgets?: ShadowBudgets;
  readonly keepsTexts?: boolean;
  readonly excluded?: readonly string[];
  readonly isUnread?: true;
}

const BOUNDLESS: ShadowBudgets = { reserve: async () => () => {} };

/** Trials of every answer, by a judge that sees "right" in an answer or does not. */
function start({
  settings,
  models,
  store,
  budgets = BOUNDLESS,
  keepsTexts = true,
  excluded = [],
  isUnread,
}: Faked = {}) {
  const state = new WorkloadState({ arms: ARMS, base: "base" });
  // Before the first feedback, and before the judge has proved itself, only some of the answers are tried.
  learn(state, { kind: "rewarded", family: "tag:a", arm: 0, reward: 1 });
  const { concurrency = 2, ...said } = settings ?? {};
  const shadow: TrialSettings = { share: 1, judge: "judge", usdPerDay: 1, budget: "", ...said };
  const seen = { records: [] as ShadowRecord[], skipped: [] as string[], failures: [] as unknown[], spent: 0 };
  const trials = new ShadowTrials({
    settings: { concurrency, timeoutMs: 60_000 },
    mostShare: () => shadow.share,
    workloads: { find: () => ({ key, state, isUnread, controls: { excluded, shadow } }) as never },
    keepsTexts: () => keepsTexts,
    budgets,
    models: {
      find: planned,
      price: () => 1000,
      ask: async (_, asked) => {
        const [{ kind } = { kind: undefined }] = asked.input.messages.flatMap(({ content }) => content);
        const material = kind?.case === "text" ? kind.value.text : "";
        const satisfactory = (JSON.parse(material) as { answer: string }).answer === "right";
        return { response: saying(JSON.stringify({ satisfactory, reason: "So." })), usage, costNanos: 2 };
      },
      ...models,
    },
    store: {
      async reserve({ budget, mostNanos }, nanos) {
        if (seen.spent + nanos > mostNanos) return undefined;
        seen.spent += nanos;
        return { day: 1, budget, nanos };
      },
      async release({ nanos }) {
        seen.spent -= nanos;
      },
      async write(record, { nanos }) {
        seen.records.push(record);
        seen.spent += (record.costNanos ?? 0) - nanos;
      },
      readAnswer: async () => ({ input, response: saying("right") }),
      readRated: async () => [],
      ...store,
    },
    watch: { recorded: () => {}, skipped: (why) => seen.skipped.push(why) },
    onFailure: (error) => seen.failures.push(error),
    seed: 1,
  });
  onTestFinished(() => trials.close());
  return { trials, state, seen };
}

const rewarded = (changes: Partial<RewardedAnswer> = {}): RewardedAnswer => ({
  key,
  inferenceId: "i",
  servedModel: "base",
  family: "tag:a",
  reward: 1,
  ...changes,
});

describe("ShadowTrials", () => {
  it("asks another model, has both answers graded, and records what that cost", async () => {
    const { trials, seen } = start();
    trials.offer(() => answer());
    await expect.poll(() => seen.records).toHaveLength(1);
    expect(seen.records[0]).toMatchObject({
      inferenceId: "i",
      projectId: "p",
      model: "base",
      family: "tag:a",
      kind: "trial",
      servedModel: "base",
      trialModel: "good",
      servedGood: false,
      trialGood: true,
      reward: null,
      outcome: "graded",
      // Of the trial and of two grades.
      inputTokens: 300,
      outputTokens: 30,
      costNanos: 11,
    });
    expect(seen).toMatchObject({ spent: 11, skipped: [], failures: [] });
  });

  it("draws nothing where no workload has a share, and tries nothing of a workload without one", async () => {
    const none = start({ settings: { share: 0 } });
    expect(none.trials.isSampled()).toBe(false);
    none.trials.offer(() => answer());
    none.trials.check([rewarded()]);
    await new Promise((done) => setImmediate(done));
    await none.trials.close();
    expect(none.seen).toMatchObject({ records: [], skipped: [], failures: [] });
  });

  it("tries nothing of a workload that is not read yet: what is settled in it is not known", async () => {
    const { trials, seen } = start({ isUnread: true });
    trials.offer(() => answer());
    trials.check([rewarded()]);
    await new Promise((done) => setImmediate(done));
    await trials.close();
    expect(seen).toMatchObject({ records: [], skipped: [], failures: [] });
  });

  it("grades by the workload's own judge and rubric", async () => {
    const asked: string[] = [];
    const { trials, seen } = start({
      settings: { judge: "other", rubric: "Name the article." },
      models: {
        async ask({ model }, { input: { system } }) {
          const [{ kind } = { kind: undefined }] = system;
          asked.push(`${model.name}: ${kind?.case === "text" && kind.value.text.includes("Name the article.")}`);
          return { response: saying('{"satisfactory": true, "reason": "So."}'), usage, costNanos: 2 };
        },
      },
    });
    trials.check([rewarded()]);
    await expect.poll(() => seen.records).toHaveLength(1);
    expect(asked).toEqual(["other: true"]);
  });

  it("shows the judge what users liked and disliked, but not the answer that it grades", async () => {
    const rated = ["i", "other"].flatMap((inferenceId) =>
      [true, false].map((isLiked) => ({
        input,
        response: saying(`${inferenceId} ${isLiked}`),
        inferenceId,
        isLiked,
        notes: isLiked ? [] : ["too long"],
      })),
    );
    const [asked, read]: [unknown[], unknown[]] = [[], []];
    const { trials, seen } = start({
      store: {
        async readRated(family) {
          read.push(family);
          return rated;
        },
      },
      models: {
        async ask(_, { input: { messages } }) {
          const [{ kind } = { kind: undefined }] = messages.flatMap(({ content }) => content);
          if (kind?.case === "text") asked.push(JSON.parse(kind.value.text));
          return { response: saying('{"satisfactory": true, "reason": "So."}'), usage, costNanos: 2 };
        },
      },
    });
    trials.check([rewarded()]);
    await expect.poll(() => seen.records).toHaveLength(1);
    expect(asked).toMatchObject([
      {
        examples: [
          { asked: "?", answer: "other true", satisfactory: true },
          { asked: "?", answer: "other false", satisfactory: false, notes: ["too long"] },
        ],
        answer: "right",
      },
    ]);
    expect(read).toEqual([{ projectId: "p", model: "base", family: "tag:a" }]);
  });

  it("tries neither the model that answered, nor the judge, nor several at once, nor one that may not answer", async () => {
    const asked: string[] = [];
    const ask = async ({ model }: PlannedAttempt) => {
      asked.push(model.name);
      return { response: saying("right"), usage, costNanos: undefined };
    };
    const { trials, seen } = start();
    for (let count = 0; count < 20; count++) trials.offer(() => answer({ ask }));
    await expect.poll(() => seen.records).toHaveLength(20);
    expect(new Set(asked)).toEqual(new Set(["good"]));
    const excluding = start({ excluded: ["good"] });
    for (let count = 0; count < 20; count++) excluding.trials.offer(() => answer({ ask }));
    const unfit = start();
    for (let count = 0; count < 20; count++) unfit.trials.offer(() => answer({ ask, eligible: [1, 0, 1, 1] }));
    excluding.trials.check([rewarded()]);
    unfit.trials.check([rewarded()]);
    await expect.poll(() => [excluding.seen.records, unfit.seen.records].map(({ length }) => length)).toEqual([1, 1]);
    expect(asked).toHaveLength(20);
  });

  it("draws the configured share, and returns before anything is made ready", async () => {
    const { trials } = start({ settings: { share: 0.25 } });
    const drawn = Array.from({ length: 4000 }, () => trials.isSampled()).filter(Boolean).length;
    // With a twentieth that may be graded as silent.
    expect(drawn / 4000).toBeCloseTo(0.3, 1);
    let isMade = false;
    trials.offer(() => {
      isMade = true;
      return undefined;
    });
    expect(isMade).toBe(false);
    await expect.poll(() => isMade).toBe(true);
  });

  /** Asks judges, and tells which of them: the second one finds all answers good. */
  function judges(asked: string[], failing = "") {
    return {
      async ask({ model }: PlannedAttempt, { input: { messages } }: Parameters<ShadowModels["ask"]>[1]) {
        asked.push(model.name);
        if (model.name === failing) throw new InferenceError(ErrorReason.UPSTREAM_UNREACHABLE, "away");
        const text = JSON.stringify(messages);
        const satisfactory = model.name === "best" || text.includes("right");
        return { response: saying(JSON.stringify({ satisfactory, reason: "So." })), usage, costNanos: 2 };
      },
    };
  }

  it("has a second judge grade too, and neither of them tried", async () => {
    const asked: string[] = [];
    const { trials, seen } = start({
      settings: { secondJudge: "good" },
      models: judges(asked),
    });
    trials.check([rewarded({ reward: 0 })]);
    await expect.poll(() => seen.records).toHaveLength(1);
    expect(asked.toSorted()).toEqual(["good", "judge"]);
    expect(seen.records[0]).toMatchObject({ servedGood: true, servedGoodSecond: true, costNanos: 4 });
    for (let count = 0; count < 5; count++) trials.offer(() => answer());
    await new Promise((done) => setTimeout(done, 0));
    // Of the four models one is base, two judge, and one is several at once.
    await trials.close();
    expect(seen.records).toHaveLength(1);
  });

  it("records both grades of both answers, and sets aside money for all of them", async () => {
    const asked: string[] = [];
    const set: number[] = [];
    const { trials, seen } = start({
      settings: { secondJudge: "best" },
      models: judges(asked),
      store: {
        async reserve({ budget }, nanos) {
          set.push(nanos);
          return { day: 1, budget, nanos };
        },
      },
    });
    trials.offer(() => answer());
    await expect.poll(() => seen.records).toHaveLength(1);
    expect(asked.toSorted()).toEqual(["best", "best", "judge", "judge"]);
    const grades = { servedGood: false, trialGood: true, servedGoodSecond: true, trialGoodSecond: true };
    expect(seen.records[0]).toMatchObject({ ...grades, outcome: "graded", costNanos: 7 + 4 * 2 });
    expect(set).toEqual([5000]);
  });

  it("does without a second judge that fails, that is away, that is the first, or that is of no use", async () => {
    const failed = start({ settings: { secondJudge: "best" }, models: judges([], "best") });
    failed.trials.offer(() => answer());
    await expect.poll(() => failed.seen.records).toHaveLength(1);
    const grades = { servedGood: false, trialGood: true, servedGoodSecond: null, trialGoodSecond: null };
    expect(failed.seen.records[0]).toMatchObject({ ...grades, outcome: "graded" });
    expect(failed.seen.failures).toHaveLength(2);
    const asked: string[] = [];
    const find = (name: string) => (name === "away" ? undefined : planned(name));
    for (const secondJudge of ["away", "judge"]) {
      const { trials, seen } = start({ settings: { secondJudge }, models: { find, ...judges(asked) } });
      trials.offer(() => answer());
      await expect.poll(() => seen.records).toHaveLength(1);
      expect(seen.records[0]).toMatchObject(grades);
    }
    const useless = start({ settings: { secondJudge: "best" }, models: judges(asked) });
    for (let at = 0; at < 200; at++) {
      const isGood = at % 2 === 0;
      const isSecondGood = at % 4 < 2;
      learn(useless.state, { kind: "checked", arm: 0, isGood, isSecondGood, reward: isGood ? 1 : 0 });
    }
    useless.trials.offer(() => answer());
    await expect.poll(() => useless.seen.records).toHaveLength(1);
    expect(useless.seen.records[0]).toMatchObject(grades);
    expect(new Set(asked)).toEqual(new Set(["judge"]));
  });

  it("counts in the budgets of its project and of the installation, and tries nothing beyond them", async () => {
    const ledger = new QuotaLedger(() => 0);
    const quotas: SubjectQuota[] = [
      { kind: "project", subject: "project:p", quota: { costNanosTotal: 3011 } },
      { kind: "key", subject: "key:", quota: { costNanosTotal: 0 } },
    ];
    const { trials, seen } = start({ budgets: createShadowBudgets({ book: { find: () => quotas }, ledger }) });
    trials.offer(() => answer());
    await expect.poll(() => seen.records).toHaveLength(1);
    await expect.poll(() => ledger.used("project:p", "costNanosTotal")).toBe(11);
    trials.offer(() => answer());
    await expect.poll(() => seen.records).toHaveLength(2);
    trials.offer(() => answer());
    await expect.poll(() => seen.skipped).toEqual(["spend"]);
    await expect.poll(() => ledger.used("project:p", "costNanosTotal")).toBe(22);
  });

  it("has answers graded that feedback was learned of, from what is stored", async () => {
    const { trials, seen } = start();
    trials.check([rewarded({ reward: 0 })]);
    await expect.poll(() => seen.records).toHaveLength(1);
    const facts = { kind: "check", servedGood: true, trialModel: null, trialGood: null, reward: 0, outcome: "graded" };
    expect(seen.records[0]).toMatchObject({ ...facts, costNanos: 2 });
  });

  it("grades some of the silent answers while people only complain", async () => {
    const { trials, state, seen } = start({ settings: { share: 0.1 } });
    state.praises = 0;
    for (let count = 0; count < 6; count++) {
      for (let more = 0; more < 5; more++) learn(state, { kind: "served", family: "tag:a", arm: 0 });
      learn(state, { kind: "rewarded", family: "tag:a", arm: 0, reward: 0 });
    }
    for (let count = 0; count < 300; count++) trials.offer(() => answer());
    await expect.poll(() => seen.records).toHaveLength(300);
    const silent = seen.records.filter(({ kind }) => kind === "silent");
    // A twentieth of all answers, beside a tenth that is tried.
    expect(silent.length).toBeGreaterThan(80);
    expect(silent.length).toBeLessThan(120);
    expect(silent.every(({ reward, servedGood }) => reward === null && servedGood === false)).toBe(true);
  });

  it("sends nothing of a project that keeps no texts, nor what several models answered together", async () => {
    const { trials, seen } = start({ keepsTexts: false });
    trials.offer(() => answer());
    trials.check([rewarded()]);
    const other = start();
    other.trials.offer(() => answer({ servedModel: "best,best" }));
    other.trials.offer(() => answer({ servedModel: "unknown" }));
    other.trials.check([rewarded({ servedModel: "best,best" }), rewarded({ inferenceId: "last" })]);
    await expect.poll(() => other.seen.records.map(({ inferenceId }) => inferenceId)).toEqual(["last"]);
    expect(seen.records).toEqual([]);
  });

  it("spends no more than the day has, by what calls may cost at most", async () => {
    const { trials, seen } = start({ settings: { usdPerDay: 4000 / 1e9, concurrency: 10 } });
    const gate = Promise.withResolvers<void>();
    const ask = async () => {
      await gate.promise;
      return { response: saying("right"), usage, costNanos: 7 };
    };
    for (let count = 0; count < 3; count++) trials.offer(() => answer({ ask }));
    // Three calls of a thousand each are set aside for the first; the others have no room meanwhile.
    await expect.poll(() => seen.skipped).toEqual(["spend", "spend"]);
    gate.resolve();
    await expect.poll(() => seen.records).toHaveLength(1);
    trials.offer(() => answer());
    await expect.poll(() => seen.records).toHaveLength(2);
    expect(seen.spent).toBe(22);
  });

  it("lets so many wait, and skips the others", async () => {
    const gate = Promise.withResolvers<never>();
    const { trials, seen } = start({ settings: { concurrency: 1 } });
    for (let count = 0; count < 40; count++) trials.offer(() => answer({ ask: () => gate.promise }));
    // One runs and 32 wait.
    await expect.poll(() => seen.skipped).toHaveLength(7);
    expect(new Set(seen.skipped)).toEqual(new Set(["full"]));
  });

  it("gives the money back where the model cannot take the request", async () => {
    const { trials, seen } = start();
    trials.offer(() => answer({ ask: () => Promise.reject(InferenceError.invalid("tools", "cannot be carried")) }));
    await expect.poll(() => seen.skipped).toEqual(["unfit"]);
    expect(seen).toMatchObject({ records: [], spent: 0, failures: [] });
  });

  it("records a trial whose model fails, and grades nothing of it", async () => {
    const { trials, seen } = start();
    const broken = new InferenceError(ErrorReason.UPSTREAM_ERROR, "broken", { upstreamStatus: 500 });
    trials.offer(() => answer({ ask: () => Promise.reject(broken) }));
    await expect.poll(() => seen.records).toHaveLength(1);
    const outcome = { trialModel: "good", servedGood: null, trialGood: null, costNanos: null, outcome: "failed" };
    expect(seen.records[0]).toMatchObject(outcome);
    expect(seen.failures).toEqual([broken]);
  });

  it("counts what had come of answers that broke off", async () => {
    const broken = new InferenceError(ErrorReason.UPSTREAM_ERROR, "broken", { upstreamStatus: 500, usage });
    const trial = start();
    trial.trials.offer(() => answer({ ask: () => Promise.reject(broken) }));
    const judge = start({ models: { ask: () => Promise.reject(broken) } });
    judge.trials.check([rewarded()]);
    await expect.poll(() => [trial, judge].map(({ seen }) => seen.records.length)).toEqual([1, 1]);
    const cost = { inputTokens: 100, outputTokens: 10, costNanos: 1000 };
    expect(trial.seen.records[0]).toMatchObject({ ...cost, outcome: "failed" });
    expect(judge.seen.records[0]).toMatchObject({ ...cost, outcome: "ungraded" });
  });

  it("takes what is no grade for none, and counts what it cost", async () => {
    const ask = async () => ({ response: saying("I would say it is fine."), usage, costNanos: 5 });
    const { trials, seen } = start({ models: { ask } });
    trials.offer(() => answer());
    await expect.poll(() => seen.records).toHaveLength(1);
    const outcome = { servedGood: null, trialGood: null, costNanos: 17, outcome: "ungraded" };
    expect(seen.records[0]).toMatchObject(outcome);
  });

  it("skips answers while a model has no healthy place, or no text is stored", async () => {
    const without = start({ models: { find: (name) => (name === "judge" ? undefined : planned(name)) } });
    without.trials.offer(() => answer());
    without.trials.check([rewarded()]);
    await expect.poll(() => without.seen.skipped).toEqual(["unavailable", "unavailable"]);
    const textless = start({ store: { readAnswer: async () => undefined } });
    textless.trials.check([rewarded()]);
    await expect.poll(() => textless.seen.skipped).toEqual(["text"]);
  });

  it("tells of a database that is away, and goes on", async () => {
    const { trials, seen } = start({ store: { write: () => Promise.reject(new Error("away")) } });
    trials.offer(() => answer());
    await expect.poll(() => seen.failures).toEqual([new Error("away")]);
    expect(seen.skipped).toEqual(["store"]);
  });

  it("breaks off what is under way when it is closed", async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const { trials, seen } = start();
    const ask = (_: PlannedAttempt, signal: AbortSignal): Promise<never> => {
      begun.resolve(signal);
      return new Promise(() => {});
    };
    trials.offer(() => answer({ ask }));
    const signal = await begun.promise;
    await trials.close();
    expect(signal.aborted).toBe(true);
    expect(trials.isSampled()).toBe(false);
    expect(seen).toMatchObject({ records: [], failures: [] });
  });
});
