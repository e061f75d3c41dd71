import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ErrorReasonSchema } from "../../../gen/attune/error/v1/error_pb.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { StrategyMachine, type StrategyStep } from "../../../src/inference/attempts/strategy.ts";
import type { PlannedAttempt, Strategy } from "../../../src/inference/ports.ts";
import { enumName } from "../../../src/lib/protobuf/enum-name.ts";
import { stubPlace, stubUpstream } from "../../support/stub-upstream.ts";

const place = (contextWindow = 1000): PlannedAttempt => ({ ...stubPlace(stubUpstream("up", [])), contextWindow });
const sequence = (...windows: number[]): Strategy => ({ kind: "sequence", attempts: windows.map(place) });
const hedged = (count: number): Strategy => ({
  kind: "hedged",
  attempts: Array.from({ length: count }, () => place()),
  afterMs: 50,
});
const failure = (reason: ErrorReason, facts = {}, isRefused = false) => ({
  error: new InferenceError(reason, "failed", facts),
  isRefused,
});
const overloaded = failure(ErrorReason.UPSTREAM_OVERLOADED);
const wrong = failure(ErrorReason.INVALID_REQUEST);

/** Steps in words: begin 0 primary, wait 50, cancel 1, fail rate_limited. */
function told(steps: readonly StrategyStep[]): string[] {
  return steps.map(inWords);
}

function inWords(step: StrategyStep): string {
  switch (step.kind) {
    case "begin":
      return `begin ${step.attempt} ${step.role}`;
    case "wait":
      return `wait ${step.ms}`;
    case "cancel":
      return `cancel ${step.attempt}`;
    case "fail":
      return `fail ${enumName(ErrorReasonSchema, step.error.reason)}`;
    default:
      return step satisfies never;
  }
}

describe("StrategyMachine, in sequence", () => {
  it("begins with the best place, and goes on where one fails", () => {
    const machine = new StrategyMachine(sequence(1000, 1000), () => true);
    expect(told(machine.begin())).toEqual(["begin 0 primary"]);
    expect(told(machine.failed(0, overloaded))).toEqual(["begin 1 failover"]);
    expect(told(machine.answered(1))).toEqual([]);
    expect(machine.winner).toBe(1);
  });

  it("asks the places of base where the model refuses that was chosen in its place, whatever it says", () => {
    const other = (): PlannedAttempt => ({ ...place(), model: { ...place().model, name: "other" } });
    const attempts = [other(), other(), place(), place()];
    for (const final of [wrong, failure(ErrorReason.CONTENT_FILTERED), failure(ErrorReason.UNSPECIFIED)]) {
      const machine = new StrategyMachine({ kind: "sequence", attempts }, () => false);
      machine.begin();
      expect(told(machine.failed(0, final))).toEqual(["begin 2 failover"]);
      // What is wrong with the request is told by base.
      expect(told(machine.failed(2, wrong))).toEqual(["fail invalid_request"]);
    }
    for (const reason of [ErrorReason.CANCELED, ErrorReason.DEADLINE_EXCEEDED]) {
      const machine = new StrategyMachine({ kind: "sequence", attempts }, () => true);
      machine.begin();
      expect(told(machine.failed(0, failure(reason)))[0]).toMatch(/^fail /);
    }
  });

  it("fails at once where no place serves the model", () => {
    expect(told(new StrategyMachine(sequence(), () => true).begin())).toEqual(["fail internal"]);
  });

  it("goes on after trouble only where one more call is allowed, and always after what no waiting mends", () => {
    const roles: string[] = [];
    const machine = new StrategyMachine(sequence(1000, 1000, 2000, 3000), (role) => {
      roles.push(role);
      return false;
    });
    machine.begin();
    expect(told(machine.failed(0, { ...overloaded, isRefused: true }))).toEqual(["begin 1 failover"]);
    expect(told(machine.failed(1, failure(ErrorReason.CONTEXT_LENGTH_EXCEEDED)))).toEqual(["begin 2 failover"]);
    expect(roles).toEqual([]);
    expect(told(machine.failed(2, overloaded))).toEqual(["fail upstream_overloaded"]);
    expect(roles).toEqual(["failover"]);
  });

  it("does not go on once an answer has begun", () => {
    const machine = new StrategyMachine(sequence(1000, 1000), () => true);
    machine.begin();
    machine.answered(0);
    expect(told(machine.failed(0, overloaded))).toEqual(["fail upstream_overloaded"]);
    expect(machine.failed(0, overloaded)).toEqual([]);
  });

  it("does not go on with what no other place may serve", () => {
    const machine = new StrategyMachine(sequence(1000, 1000), () => true);
    machine.begin();
    expect(told(machine.failed(0, wrong))).toEqual(["fail invalid_request"]);
  });

  it("goes on with what only this format cannot carry", () => {
    const machine = new StrategyMachine(sequence(1000, 1000), () => true);
    machine.begin();
    expect(told(machine.failed(0, { ...wrong, isRefused: true }))).toEqual(["begin 1 failover"]);
  });

  it("takes a prompt that is too long only to larger places", () => {
    const machine = new StrategyMachine(sequence(1000, 1000, 500, 2000, 3000), () => true);
    machine.begin();
    const tooLong = failure(ErrorReason.CONTEXT_LENGTH_EXCEEDED);
    expect(told(machine.failed(0, tooLong))).toEqual(["begin 3 failover"]);
    expect(told(machine.failed(3, overloaded))).toEqual(["begin 4 failover"]);
    expect(told(machine.failed(4, tooLong))).toEqual(["fail upstream_overloaded"]);
  });

  it.each<[string, ReturnType<typeof failure>[], string, number | undefined]>([
    ["what may be over later", [failure(ErrorReason.QUOTA_EXCEEDED), overloaded], "upstream_overloaded", undefined],
    [
      "what is over soonest",
      [
        failure(ErrorReason.RATE_LIMITED, { retryAfterMs: 9000 }),
        failure(ErrorReason.RATE_LIMITED, { retryAfterMs: 2000 }),
      ],
      "rate_limited",
      2000,
    ],
    [
      "what the caller can mend",
      [failure(ErrorReason.UPSTREAM_UNAUTHENTICATED), failure(ErrorReason.TRANSLATION_LOSS)],
      "translation_loss",
      undefined,
    ],
    [
      "the failure of the best place",
      [failure(ErrorReason.UPSTREAM_UNAUTHENTICATED), failure(ErrorReason.QUOTA_EXCEEDED)],
      "upstream_unauthenticated",
      undefined,
    ],
  ])("tells %s, where all have failed", (_name, [first = wrong, second = wrong], reason, retryAfterMs) => {
    const machine = new StrategyMachine(sequence(1000, 1000), () => true);
    machine.begin();
    machine.failed(0, first);
    const [step] = machine.failed(1, second);
    expect(told(step === undefined ? [] : [step])).toEqual([`fail ${reason}`]);
    if (step?.kind === "fail") expect(step.error.facts.retryAfterMs).toBe(retryAfterMs);
  });
});

describe("StrategyMachine, hedged", () => {
  it("begins a second attempt beside a slow one; the first that answers wins, the other is broken off", () => {
    const machine = new StrategyMachine(hedged(2), () => true);
    expect(told(machine.begin())).toEqual(["begin 0 primary", "wait 50"]);
    expect(told(machine.waited())).toEqual(["begin 1 hedge"]);
    expect(told(machine.answered(1))).toEqual(["cancel 0"]);
    expect(machine.failed(0, failure(ErrorReason.CANCELED))).toEqual([]);
    expect(machine.answered(0)).toEqual([]);
    expect(machine.winner).toBe(1);
  });

  it("begins no second one beside an answer, or where there is no other place", () => {
    const answered = new StrategyMachine(hedged(2), () => true);
    answered.begin();
    answered.answered(0);
    expect(answered.waited()).toEqual([]);
    const alone = new StrategyMachine(hedged(1), () => true);
    alone.begin();
    expect(alone.waited()).toEqual([]);
  });

  it("waits for the other where one fails, and goes on where there is a third", () => {
    const two = new StrategyMachine(hedged(2), () => true);
    two.begin();
    two.waited();
    expect(two.failed(0, overloaded)).toEqual([]);
    expect(told(two.failed(1, overloaded))).toEqual(["fail upstream_overloaded"]);
    const three = new StrategyMachine(hedged(3), () => true);
    three.begin();
    three.waited();
    expect(told(three.failed(0, overloaded))).toEqual(["begin 2 failover"]);
  });

  it("breaks the other off where one fails for good", () => {
    const machine = new StrategyMachine(hedged(2), () => true);
    machine.begin();
    machine.waited();
    expect(told(machine.failed(0, wrong))).toEqual(["cancel 1", "fail invalid_request"]);
    expect(machine.answered(1)).toEqual([]);
    expect(machine.winner).toBeUndefined();
  });
});

describe("StrategyMachine, whatever comes", () => {
  const reasons = [ErrorReason.UPSTREAM_ERROR, ErrorReason.INVALID_REQUEST, ErrorReason.CONTEXT_LENGTH_EXCEEDED];
  const event = fc.oneof(
    fc.record({ kind: fc.constant("answered" as const), attempt: fc.nat(4) }),
    fc.record({ kind: fc.constant("failed" as const), attempt: fc.nat(4), reason: fc.constantFrom(...reasons) }),
    fc.constant({ kind: "waited" as const }),
  );

  it("begins each attempt at most once, fails at most once, and has an end", () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(event, { maxLength: 30 }), (isHedged, events) => {
        const machine = new StrategyMachine(isHedged ? hedged(4) : sequence(1000, 500, 2000, 1000), () => true);
        const steps = [...machine.begin()];
        const running = new Set<number>();
        const note = (): void => {
          for (const step of steps) if (step.kind === "begin") running.add(step.attempt);
        };
        note();
        for (const next of events) {
          if (next.kind === "waited") steps.push(...(isHedged ? machine.waited() : []));
          // Only what runs can answer or fail.
          else if (!running.has(next.attempt)) continue;
          else if (next.kind === "answered") steps.push(...machine.answered(next.attempt));
          else steps.push(...machine.failed(next.attempt, failure(next.reason)));
          note();
        }
        const begun = steps.flatMap((step) => (step.kind === "begin" ? [step.attempt] : []));
        expect(new Set(begun).size).toBe(begun.length);
        expect(steps.filter(({ kind }) => kind === "fail").length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
