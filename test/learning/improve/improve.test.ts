import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Role, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import type { PlannedAttempt } from "../../../src/inference/ports.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { weighEvidence } from "../../../src/learning/bandit/shadow/weigh-evidence.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { improve } from "../../../src/learning/improve/improve.ts";
import type { ImproveModels, Improvement, ImproveStore, RatedCall } from "../../../src/learning/improve/ports.ts";
import type { ShadowRecord } from "../../../src/learning/shadow/ports.ts";
import type { WorkloadCachePort } from "../../../src/learning/workload.ts";

const ARMS = ["base", "good", "poor", "judge", "best,best"];
/** How often each model is right. */
const SKILLS: Readonly<Record<string, number>> = { base: 0.6, good: 0.95, poor: 0.4 };
const PRICE = 1000;
const FAMILY = "tag:a";
const key = { projectId: "p", model: "base" };
const usage = create(UsageSchema, { inputTokens: 100, outputTokens: 10 });
const input = createHubInput({
  messages: [{ role: Role.USER, content: [{ kind: { case: "text", value: { text: "?" } } }] }],
});
const saying = (text: string) =>
  create(GenerateResponseSchema, { content: [{ kind: { case: "text", value: { text } } }], finished: { usage } });
const planned = (name: string) => ({ model: { name, maxOutputTokens: 4096 } }) as PlannedAttempt;
const recorded = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ inferenceId: `i${at}`, family: FAMILY }));

interface Played {
  readonly improvement?: Partial<Improvement>;
  readonly judge?: string;
  readonly secondJudge?: string;
  readonly accuracy?: number;
  readonly rated?: number;
  readonly models?: Partial<ImproveModels>;
  readonly store?: Partial<ImproveStore>;
  readonly excluded?: readonly string[];
  readonly keepsTexts?: boolean;
  readonly workloads?: WorkloadCachePort;
  readonly signal?: AbortSignal;
  readonly seed?: number;
}

/** Plays an improvement of a workload with 300 recorded requests, some of them rated, whose grades are learned at once. */
async function play(options: Played = {}) {
  const {
    judge = "judge",
    secondJudge,
    accuracy = 0.9,
    rated = 60,
    excluded = [],
    keepsTexts = true,
    seed = 1,
  } = options;
  const random = new SeededRandom(seed);
  const state = new WorkloadState({ arms: ARMS, base: "base" });
  const rights = recorded(rated).map(() => random.uniform() < (SKILLS["base"] ?? 0));
  for (const isRight of rights) {
    learn(state, { kind: "served", family: FAMILY, arm: 0 });
    learn(state, { kind: "rewarded", family: FAMILY, arm: 0, reward: Number(isRight) });
  }
  const seen = { records: [] as ShadowRecord[], asked: [] as string[], skipped: [] as string[], spent: 0 };
  const answerOf = (name: string) => saying(random.uniform() < (SKILLS[name] ?? 0) ? "right" : "wrong");
  const learnRecord = ({ kind, servedGood, servedGoodSecond, trialGood, trialModel, reward }: ShadowRecord): void => {
    if (kind === "check" && servedGood !== null) {
      const isSecondGood = servedGoodSecond ?? undefined;
      learn(state, { kind: "checked", arm: 0, isGood: servedGood, isSecondGood, reward: reward ?? undefined });
    }
    if (kind === "trial" && servedGood !== null)
      learn(state, { kind: "graded", family: FAMILY, arm: 0, isGood: servedGood });
    if (kind === "trial" && trialGood !== null) {
      learn(state, { kind: "graded", family: FAMILY, arm: ARMS.indexOf(trialModel ?? ""), isGood: trialGood });
    }
    weighEvidence(state);
  };
  const shadow = { share: 0, judge, ...(secondJudge !== undefined && { secondJudge }), usdPerDay: 0, budget: "" };
  const improvement = { id: "x", key, models: [], mostNanos: 1e9, mostCalls: 100, requestedAtMs: 0, calls: 0 };
  const ended = await improve(
    {
      timeoutMs: 60_000,
      learnMs: 200,
      seed,
      budgets: { reserve: async () => () => {} },
      watch: { recorded: () => {}, skipped: (why) => seen.skipped.push(why) },
      keepsTexts: () => keepsTexts,
      onFailure: () => {},
      workloads: options.workloads ?? {
        find: () => ({ key, state, controls: { excluded, shadow, metrics: [] } }) as never,
      },
      models: {
        find: (name) => (name === "" ? undefined : planned(name)),
        price: () => PRICE,
        problemOf: () => undefined,
        async answer({ model }) {
          seen.asked.push(model.name);
          return { response: answerOf(model.name), usage, costNanos: 7 };
        },
        async ask(_, asked) {
          const [{ kind } = { kind: undefined }] = asked.input.messages.flatMap(({ content }) => content);
          const { answer } = JSON.parse(kind?.case === "text" ? kind.value.text : "") as { answer: string };
          const satisfactory = (answer === "right") === random.uniform() < accuracy;
          return { response: saying(JSON.stringify({ satisfactory, reason: "So." })), usage, costNanos: 2 };
        },
        ...options.models,
      },
      store: {
        async reserve({ budget, mostNanos, day }, nanos) {
          if (seen.spent + nanos > mostNanos) return undefined;
          seen.spent += nanos;
          return { day: day ?? 0, budget, nanos };
        },
        async release({ nanos }) {
          seen.spent -= nanos;
        },
        async write(record, { nanos }) {
          seen.records.push(record);
          seen.spent += (record.costNanos ?? 0) - nanos;
          learnRecord(record);
        },
        async readAnswer(id) {
          const isRight = rights[Number(id.slice(1))];
          return { input, response: isRight === undefined ? answerOf("base") : saying(isRight ? "right" : "wrong") };
        },
        readRated: async () => [],
        readRecorded: async () => recorded(300).toReversed(),
        readUngraded: async () =>
          rights.map(
            (value, at): RatedCall => ({
              inferenceId: `i${at}`,
              family: FAMILY,
              values: [{ name: "correct", value, optimize: null }],
            }),
          ),
        readSilent: async () => [],
        readScales: async () => undefined,
        ...options.store,
      },
    },
    { ...improvement, ...options.improvement },
    options.signal ?? new AbortController().signal,
  );
  const trials = seen.records.filter(({ kind }) => kind === "trial");
  return { ended, trials, checks: seen.records.filter(({ kind }) => kind === "check"), ...seen };
}

describe("improve()", () => {
  it("measures the judge by rated answers first, and then asks those who promise the most", async () => {
    const { ended, records, trials, checks, asked } = await play();
    expect(ended).toBe("calls");
    expect([checks.length, trials.length]).toEqual([60, 100]);
    expect(records.slice(0, 60).every(({ kind }) => kind === "check")).toBe(true);
    expect(checks[0]).toMatchObject({ improvementId: "x", servedModel: "base", trialModel: null });
    expect(new Set(trials.map(({ inferenceId }) => inferenceId)).size).toBe(100);
    const good = asked.filter((name) => name === "good").length;
    expect(good).toBeGreaterThan(asked.length - good);
  });

  it("asks nobody by a judge that is no better than a coin", async () => {
    const { ended, asked, checks } = await play({ accuracy: 0.5, rated: 150 });
    expect([ended, asked.length, checks.length]).toEqual(["judge", 0, 150]);
  });

  it("spends no more than it may, whatever that is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 200_000 }), fc.nat(1000), async (mostNanos, seed) => {
        const { ended, spent, records } = await play({ seed, improvement: { mostNanos, mostCalls: 60 } });
        expect(spent).toBeLessThanOrEqual(mostNanos);
        expect(spent).toBe(records.reduce((sum, { costNanos }) => sum + (costNanos ?? 0), 0));
        expect(["calls", "budget", "judge", "settled"]).toContain(ended);
      }),
      { numRuns: 30 },
    );
  });

  it("goes on with the calls that were made before it was broken off", async () => {
    const { ended, trials } = await play({ improvement: { calls: 70 }, store: { readUngraded: async () => [] } });
    // Nothing says yet that the judge is right.
    expect([ended, trials.length]).toEqual(["judge", 0]);
    expect((await play({ improvement: { calls: 70 } })).trials).toHaveLength(30);
  });

  it.each<[string, Played, string]>([
    ["has no judge", { judge: undefined as never, workloads: { find: () => undefined } }, "no-judge"],
    ["keeps no texts", { keepsTexts: false }, "no-judge"],
    ["excludes all others", { excluded: ["good", "poor"] }, "no-models"],
    ["has nothing on record", { store: { readRecorded: async () => [] } }, "requests"],
    ["has requests that cannot be sent again", { models: { problemOf: () => "it has pictures" } }, "requests"],
  ])("ends where the workload %s", async (_, options, ended) => {
    const { ended: found, asked } = await play(options);
    expect([found, asked]).toEqual([ended, []]);
  });

  it("asks only those that may be asked, and never the judge or base", async () => {
    const { asked } = await play({ improvement: { models: ["poor"] } });
    expect(new Set(asked)).toEqual(new Set(["poor"]));
  });

  it("breaks off at once", async () => {
    const abort = new AbortController();
    const { ended, trials } = await play({
      signal: abort.signal,
      models: {
        async answer() {
          abort.abort();
          return { response: saying("right"), usage, costNanos: 7 };
        },
      },
    });
    expect(ended).toBeUndefined();
    expect(trials.length).toBeLessThanOrEqual(4);
  });
});

describe("improve() with a second judge", () => {
  const isSecond = ({ servedGoodSecond, trialGoodSecond }: ShadowRecord) =>
    [servedGoodSecond, trialGoodSecond].filter((grade) => grade !== null).length;

  it("has both measured by rated answers, and both grade trials that it pays in", async () => {
    const { checks, trials, asked } = await play({ secondJudge: "poor" });
    expect(checks.map(isSecond)).toEqual(checks.map(() => 1));
    expect(trials.map(isSecond)).toEqual(trials.map(() => 2));
    expect(trials.length).toBeGreaterThan(20);
    // It grades, and would grade its own answers.
    expect(new Set(asked)).toEqual(new Set(["good"]));
  });

  it("has the first grade trials alone where the second costs many times as much", async () => {
    const price = ({ model }: PlannedAttempt) => (model.name === "poor" ? 1000 * PRICE : PRICE);
    const { checks, trials } = await play({ secondJudge: "poor", models: { price } });
    expect(checks.map(isSecond)).toEqual(checks.map(() => 1));
    expect(trials.length).toBeGreaterThan(20);
    expect(trials.map(isSecond)).toEqual(trials.map(() => 0));
  });
});
