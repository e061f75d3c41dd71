import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import {
  AttemptOutcome,
  AttemptRole,
  CandidateReason,
  Deviation,
  type GenerateEvent,
  type GenerateResponse,
  SavingKind,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import type { AnswerAudit, ArrivedAnswer, JudgedAnswer, AttemptRole as Role } from "../../../src/inference/ports.ts";
import { chooseCandidate } from "../../../src/routing/candidates/requested-candidates.ts";
import type { Selection } from "../../../src/routing/candidates/selection.ts";
import {
  askOnce,
  type Call,
  caller,
  overloaded,
  type PlannedService,
  placeThatSays,
  serviceOf,
  textOf,
} from "../../support/answer-by-plan.ts";
import { type Step, textEvents } from "../../support/stub-upstream.ts";

const refused = new InferenceError(ErrorReason.INVALID_REQUEST, "no such thing", { upstreamStatus: 400 });

/** "good" has the form that was asked for, "bad" has not; each other text is a conclusion. */
const judge = async (answer: GenerateResponse): Promise<JudgedAnswer> => {
  const text = textOf(answer);
  const isBad = text.startsWith("bad");
  return {
    verdict: {
      failed: isBad ? ["invalid_json"] : [],
      passed: isBad ? 3 : 5,
      isComplete: true,
      isProven: text === "good",
      isRetryable: isBad,
    },
    conclusion: text,
    words: new Map(),
    characters: text.length,
  };
};

/** Each candidate is a place of its own; those behind the bar are asked where all have failed. */
function setUp(calls: readonly Call[], { later = [], selection, ...options }: SetUp = {}) {
  const attempts = [...calls, ...later].map((call, at) => placeThatSays(`p${at}`, [call]));
  const choose = (arrived: readonly ArrivedAnswer[], coming: number) =>
    chooseCandidate(arrived, coming, { isStructured: true, selection });
  const strategy = { kind: "candidates" as const, attempts, count: calls.length, judge, choose };
  return serviceOf({ strategy, plain: attempts[0] }, options);
}

interface SetUp extends PlannedService {
  readonly later?: readonly Call[];
  readonly selection?: Selection | undefined;
}

const input = createHubInput({ model: "attune/m", candidates: 2 });
const ask = (...given: Parameters<typeof setUp>) => askOnce(setUp(...given), input);
const begun = textEvents("sl", "ow").slice(0, 3);

describe("several candidates", () => {
  it("are asked for at once, and the first that has the form is given: the others are told of and paid for as far as they came", async () => {
    const { text, response, record, attempts } = await ask(["bad", "good", [begun, "hang"]]);
    expect(text).toBe("good");
    expect(response.serving).toMatchObject({
      upstream: "p1",
      optimizations: [],
      deviation: Deviation.BEST_OF_N,
      attempts: [
        { outcome: AttemptOutcome.COMPLETED, score: 0.375, candidateReason: CandidateReason.LOWER_SCORE },
        { role: AttemptRole.CANDIDATE, score: 0.5, candidateReason: CandidateReason.FIRST_TO_PASS },
        { outcome: AttemptOutcome.CANCELED, candidateReason: CandidateReason.NOT_AWAITED },
      ],
    });
    expect(response.notChosen).toEqual([]);
    expect(record?.output.notChosen.map(({ attempt, content }) => [attempt, content[0]?.kind.value])).toMatchObject([
      ...[
        [0, { text: "bad" }],
        [2, { text: "sl" }],
      ],
    ]);
    // 5 tokens of the prompt at 1 USD per million, and of the answers at 10: two, two, and one that had come.
    expect(attempts.map(({ costNanos, isEstimated }) => [costNanos, isEstimated])).toEqual([
      ...[
        [25_000, false],
        [25_000, false],
        [15_000, true],
      ],
    ]);
    expect(response.finished?.savings).toMatchObject([{ kind: SavingKind.CANDIDATES, nanos: -40_000n }]);
    expect(record).toMatchObject({
      status: "completed",
      upstream: "p1",
      costNanos: 65_000,
      baseCostNanos: 25_000,
      saved: { candidates: -40_000 },
      usage: { inputTokens: 5, outputTokens: 2 },
    });
  });

  it("cost their prompts at least where they are broken off before their first word", async () => {
    const { attempts, record } = await ask(["good", ["hang"]]);
    expect(attempts).toMatchObject([
      { outcome: "completed", isEstimated: false },
      { outcome: "canceled", isEstimated: true, usage: { outputTokens: 0 } },
    ]);
    expect(attempts[1]?.costNanos).toBeGreaterThan(0);
    expect(record?.costNanos).toBe((attempts[0]?.costNanos ?? 0) + (attempts[1]?.costNanos ?? 0));
  });

  it("come as a stream only once one is chosen, with every event of it and none of the others", async () => {
    const { service } = setUp(["bad", "good"]);
    const events: GenerateEvent[] = [];
    await service.stream(input, caller(), (batch) => void events.push(...batch));
    expect(events.map(({ event }) => event.case)).toEqual([
      ...["started", "blockStart", "blockDelta", "blockDelta", "blockEnd", "finished"],
    ]);
    expect(events.flatMap(({ event }) => (event.case === "blockDelta" ? [event.value.delta.value] : []))).toEqual([
      ...["go", "od"],
    ]);
    expect(events[0]?.event.value).toMatchObject({
      serving: { deviation: Deviation.BEST_OF_N, attempts: [{ score: 0.375 }, { score: 0.5 }] },
    });
  });

  it("are told of with what they are ranked by where something is learned of them", async () => {
    const selection = { selector: undefined, acts: true, random: () => 0.75 };
    const { text, response, attempts } = await ask(["yes", "sure", "bad"], { selection });
    // Chance draws one of two.
    expect(text).toBe("sure");
    expect(attempts).toMatchObject([
      {
        candidateReason: "not_drawn",
        ranking: { chance: 0.5, signals: { order: -1, elsewhere: -0.5, characters: 3 } },
      },
      { candidateReason: "random", ranking: { chance: 0.5, signals: { order: 1, elsewhere: 0.5, characters: 4 } } },
      { candidateReason: "lower_score" },
    ]);
    expect(attempts[2]).not.toHaveProperty("ranking");
    const [, drawn, failed] = response.serving?.attempts ?? [];
    expect(drawn).toMatchObject({ candidateReason: CandidateReason.RANDOM, chance: 0.5, signals: { elsewhere: 0.5 } });
    expect([drawn?.expectedReward, failed?.signals, failed?.chance]).toEqual([undefined, undefined, undefined]);
  });

  it("may fail but for one", async () => {
    const { text, record, attempts } = await ask([[overloaded], "yes", [refused]], { later: ["later"] });
    expect(text).toBe("yes");
    expect(record).toMatchObject({ status: "completed", error: undefined });
    expect(attempts.map(({ outcome, candidateReason }) => [outcome, candidateReason])).toEqual([
      ...[
        ["failed", undefined],
        ["completed", "only_answer"],
        ["failed", undefined],
      ],
    ]);
  });

  it("are followed by the places that were not asked yet where all fail", async () => {
    const { text, response, attempts } = await ask([[overloaded], [overloaded]], { later: [[overloaded], "yes"] });
    expect(text).toBe("yes");
    expect(attempts.map(({ candidateReason, score }) => candidateReason ?? score)).toEqual(
      attempts.map(() => undefined),
    );
    expect(response.serving?.optimizations).toEqual(["failover"]);
    expect(attempts.map(({ role, outcome }) => [role, outcome])).toEqual([
      ...[
        ["candidate", "failed"],
        ["candidate", "failed"],
        ["failover", "failed"],
        ["failover", "completed"],
      ],
    ]);
  });

  it("take nothing of what is left for failovers, which the rules for these hold for where all have failed", async () => {
    const roles: Role[] = [];
    const mayBegin = (role: Role) => {
      roles.push(role);
      return false;
    };
    expect((await ask(["bad", "good"], { mayBegin })).text).toBe("good");
    expect(roles).toEqual([]);
    await expect(ask([[overloaded], [overloaded]], { later: ["yes"], mayBegin })).rejects.toThrow("busy");
    expect(roles).toEqual(["failover"]);
  });

  it.each([
    ["the first", [[refused], [overloaded]]],
    ["the last", [[overloaded], [refused]]],
  ])("fail for good where %s was refused for what no other place would take either", async (_, calls) => {
    const { service, recorder } = setUp(calls, { later: ["yes"] });
    await expect(service.generate(input, caller())).rejects.toMatchObject({ reason: ErrorReason.INVALID_REQUEST });
    expect(recorder.records[0]?.attempts).toHaveLength(2);
    expect(recorder.records).toMatchObject([{ status: "failed", saved: undefined }]);
  });

  it("are broken off when the caller leaves, also where one has come, and what was asked and answered is on the bill", async () => {
    for (const calls of [[["hang"], ["hang"]] as Step[][], ["yes", ["hang"]] as Call[]]) {
      const { service, recorder } = setUp(calls);
      const leaving = new AbortController();
      const asked = service.generate(input, caller(leaving.signal));
      await delay(20);
      leaving.abort();
      await expect(asked).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
      const [record] = recorder.records;
      expect(record?.status).toBe("canceled");
      expect(record?.attempts.map(({ outcome }) => outcome)).toEqual([
        ...[calls[0] === "yes" ? "completed" : "canceled", "canceled"],
      ]);
      expect(record?.costNanos).toBe(calls[0] === "yes" ? 26_000 : 2000);
    }
  });

  it("are not waited for without end once one has come", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const asked = ask(["yes", ["hang"]]);
      await vi.advanceTimersByTimeAsync(9000);
      expect(await Promise.race([asked, Promise.resolve("not yet")])).toBe("not yet");
      await vi.advanceTimersByTimeAsync(2000);
      const { text, attempts } = await asked;
      expect(text).toBe("yes");
      expect(attempts.map(({ candidateReason }) => candidateReason)).toEqual(["only_answer", "not_awaited"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("are kept as far as they are not too long", async () => {
    const long = `bad${"x".repeat(2 ** 18)}`;
    const { record } = await ask([long, "bad", "good"]);
    expect(record?.output.notChosen).toMatchObject([
      { attempt: 0, leftOut: true, content: [] },
      { attempt: 1, leftOut: false, content: [{ kind: { value: { text: "bad" } } }] },
    ]);
  });

  it("are no part of the audit", async () => {
    const offered: unknown[] = [];
    const audit: AnswerAudit = { isSampled: () => true, offer: (make) => void offered.push(make()) };
    await ask(["yes", "yes"], { audit });
    expect(offered).toEqual([undefined]);
  });
});
