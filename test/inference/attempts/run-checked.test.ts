import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import {
  AttemptOutcome,
  AttemptRole,
  Deviation,
  FailedCheck,
  type GenerateEvent,
  type GenerateResponse,
  SavingKind,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { startedEvent } from "../../../src/hub/events.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import type { AnswerVerdict, PlannedAttempt, AttemptRole as Role } from "../../../src/inference/ports.ts";
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

/** What the check says of an answer, by its text. */
const VERDICTS: Readonly<Record<string, Partial<AnswerVerdict>>> = {
  good: { passed: 5 },
  bad: { failed: ["invalid_json"], passed: 3, isRetryable: true },
  closer: { failed: ["schema_mismatch"], passed: 4, isRetryable: true },
  cut: { failed: ["cut"], passed: 2 },
};

const check = async (answer: GenerateResponse): Promise<AnswerVerdict> => ({
  failed: [],
  passed: 0,
  isComplete: true,
  isProven: false,
  isRetryable: false,
  ...VERDICTS[textOf(answer)],
});

/** Each place says one of its texts at each call, or plays steps. */
function setUp(calls: Readonly<Record<string, Call[]>>, { again, ...options }: SetUp = {}) {
  const attempts = Object.entries(calls).map(([name, said]) => placeThatSays(name, said));
  return serviceOf({ strategy: { kind: "checked", attempts, again: again?.(attempts) ?? attempts, check } }, options);
}

interface SetUp extends PlannedService {
  readonly again?: (places: readonly PlannedAttempt[]) => readonly PlannedAttempt[];
}

const input = createHubInput({ model: "attune/m" });
const ask = (...given: Parameters<typeof setUp>) => askOnce(setUp(...given), input);

describe("an answer that is checked", () => {
  it("is given as it is where it passes, and nothing else is asked", async () => {
    const { text, response, record } = await ask({ one: ["good"] });
    expect(text).toBe("good");
    expect(response.serving).toMatchObject({ optimizations: [], attempts: [{ failedChecks: [] }] });
    expect(record).toMatchObject({ status: "completed", costNanos: 25_000, baseCostNanos: 25_000, saved: {} });
  });

  it("is asked for once more where it fails, at another place of the model, and both are told of and paid for", async () => {
    const { text, response, record, attempts } = await ask({ one: ["bad"], two: ["good"] });
    expect(text).toBe("good");
    expect(response.serving).toMatchObject({
      upstream: "two",
      optimizations: ["checked-retry"],
      deviation: Deviation.NONE,
      attempts: [
        {
          upstream: "one",
          role: AttemptRole.PRIMARY,
          outcome: AttemptOutcome.COMPLETED,
          failedChecks: [FailedCheck.INVALID_JSON],
        },
        { upstream: "two", role: AttemptRole.RETRY, outcome: AttemptOutcome.COMPLETED, failedChecks: [] },
      ],
    });
    expect(response.finished?.savings).toMatchObject([{ kind: SavingKind.RETRY, nanos: -25_000n }]);
    expect(attempts.map(({ isWinner, failedChecks }) => [isWinner, failedChecks])).toEqual([
      [false, ["invalid_json"]],
      [true, []],
    ]);
    expect(record).toMatchObject({
      upstream: "two",
      costNanos: 50_000,
      baseCostNanos: 25_000,
      saved: { retry: -25_000 },
      usage: { inputTokens: 5, outputTokens: 2 },
    });
  });

  it("keeps what the upstream calls a call whose answer was not given", async () => {
    const named = (id: string, said: string): Step[] => {
      const [, ...rest] = textEvents(said);
      return [[startedEvent({ serving: { upstreamRequestId: id }, usage: { inputTokens: 5 } }), ...rest]];
    };
    const { response, record, attempts } = await ask({ one: [named("r1", "bad")], two: [named("r2", "good")] });
    expect(attempts.map(({ upstreamRequestId }) => upstreamRequestId)).toEqual(["r1", "r2"]);
    expect(response.serving?.attempts.map(({ upstreamRequestId }) => upstreamRequestId)).toEqual(["r1", "r2"]);
    expect(record?.upstreamRequestId).toBe("r2");
  });

  it("costs what the call took where its caller leaves while it is handed on", async () => {
    // So long that it is handed on in several batches.
    const pieces = ["good", ...Array.from({ length: 1000 }, () => ".")];
    const { service, recorder } = setUp({ one: [[textEvents(...pieces)]] });
    const leaving = new AbortController();
    const left = service.stream(input, caller(leaving.signal), () => leaving.abort());
    await expect(left).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
    const known = { usage: { inputTokens: 5, outputTokens: 1001 }, isEstimated: false };
    expect(recorder.records).toMatchObject([{ ...known, status: "canceled", attempts: [known] }]);
  });

  it("is asked for at the same place where there is no other", async () => {
    const { text, attempts } = await ask({ one: ["bad", "good"] });
    expect([text, attempts.map(({ upstream }) => upstream)]).toEqual(["good", ["one", "one"]]);
    const none = await ask({ one: ["bad", "good"], two: ["good"] }, { again: () => [] });
    expect(none.attempts.map(({ upstream }) => upstream)).toEqual(["one", "one"]);
  });

  it.each([
    ["bad", "bad", 0],
    ["bad", "closer", 1],
    ["closer", "bad", 0],
    ["closer", "cut", 0],
    ["bad", "good", 1],
  ])("of two, %s and %s, the one is given that passes more", async (one, two, given) => {
    const { text, response, record } = await ask({ one: [one], two: [two] });
    expect(text).toBe([one, two][given]);
    expect(response.serving?.attempts).toHaveLength(2);
    expect(record).toMatchObject({ status: "completed", costNanos: 50_000, saved: { retry: -25_000 } });
  });

  it("is never asked for a third time, nor where another one would do no better, or no call is left", async () => {
    expect((await ask({ one: ["bad", "bad", "good"] })).attempts).toHaveLength(2);
    expect((await ask({ one: ["cut", "good"] })).attempts).toHaveLength(1);
    const roles: Role[] = [];
    const mayBegin = (role: Role) => {
      roles.push(role);
      return false;
    };
    const { text, response } = await ask({ one: ["bad", "good"] }, { mayBegin });
    expect([text, roles]).toEqual(["bad", ["retry"]]);
    expect(response.serving?.optimizations).toEqual([]);
    expect(response.serving?.attempts).toMatchObject([{ failedChecks: [FailedCheck.INVALID_JSON] }]);
  });

  it("is given where the second call fails", async () => {
    const { text, record, attempts } = await ask({ one: ["bad"], two: [[overloaded]] });
    expect(text).toBe("bad");
    expect(record).toMatchObject({ status: "completed", error: undefined, upstream: "one" });
    expect(attempts.map(({ role, outcome }) => [role, outcome])).toEqual([
      ["primary", "completed"],
      ["retry", "failed"],
    ]);
  });

  it("moves on where a place breaks off in the middle of it, since nobody got any of it", async () => {
    const begun = textEvents("go", "od").slice(0, 3);
    const broken = new InferenceError(ErrorReason.STREAM_INTERRUPTED, "gone");
    const { text, attempts } = await ask({ one: [[begun, broken]], two: ["good"] });
    expect(text).toBe("good");
    expect(attempts.map(({ role, outcome }) => [role, outcome])).toEqual([
      ["primary", "failed"],
      ["failover", "completed"],
    ]);
  });

  it("fails as without a check where no place answers", async () => {
    const { service, recorder } = setUp({ one: [[overloaded]], two: [[overloaded]] });
    await expect(service.generate(input, caller())).rejects.toMatchObject({ reason: ErrorReason.UPSTREAM_OVERLOADED });
    expect(recorder.records).toMatchObject([{ status: "failed" }]);
  });

  it("comes as a stream only once it is chosen, with every event of it and none of the other", async () => {
    const { service } = setUp({ one: ["bad"], two: ["good"] });
    const events: GenerateEvent[] = [];
    await service.stream(input, caller(), (batch) => void events.push(...batch));
    expect(events.map(({ event }) => event.case)).toEqual([
      "started",
      "blockStart",
      "blockDelta",
      "blockDelta",
      "blockEnd",
      "finished",
    ]);
    expect(events[0]?.event.value).toMatchObject({ serving: { upstream: "two", optimizations: ["checked-retry"] } });
    expect(events.flatMap(({ event }) => (event.case === "blockDelta" ? [event.value.delta.value] : []))).toEqual([
      "go",
      "od",
    ]);
  });
});

describe("a caller who leaves", () => {
  it.each([
    ["the first", { one: [["hang"]] satisfies Call[] }, ["canceled"]],
    ["the second", { one: ["bad"], two: [["hang"]] satisfies Call[] }, ["completed", "canceled"]],
  ])("breaks off %s call, and what was asked and answered is on the bill", async (_, calls, outcomes) => {
    const { service, recorder } = setUp(calls as Record<string, Call[]>);
    const leaving = new AbortController();
    const asked = service.generate(input, caller(leaving.signal));
    await delay(20);
    leaving.abort();
    await expect(asked).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
    const [record] = recorder.records;
    expect(record?.status).toBe("canceled");
    expect(record?.attempts.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(record?.costNanos).toBe(outcomes.length === 1 ? 1000 : 26_000);
  });
});

describe("a second call that takes far longer than the first", () => {
  it("is broken off, and the first answer is given", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const asked = ask({ one: ["bad"], two: [["hang"]] });
      await vi.advanceTimersByTimeAsync(60_000);
      const { text, attempts } = await asked;
      expect(text).toBe("bad");
      expect(attempts.map(({ outcome }) => outcome)).toEqual(["completed", "canceled"]);
    } finally {
      vi.useRealTimers();
    }
  });
});
