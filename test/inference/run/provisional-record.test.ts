import { describe, expect, it } from "vitest";
import { InferenceError } from "../../../src/hub/error.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import type { CandidatesStrategy, CheckedStrategy } from "../../../src/inference/ports.ts";
import { InferenceRun } from "../../../src/inference/run/inference-run.ts";
import { newId } from "../../../src/lib/ids.ts";
import { type Call, caller, overloaded, placeThatSays, serviceOf, textOf } from "../../support/answer-by-plan.ts";
import { DECISION } from "../../support/inference-record.ts";
import { type Step, stubPlan, textEvents } from "../../support/stub-upstream.ts";
import { testSigner } from "../../support/test-signer.ts";

const input = createHubInput({ model: "attune/m", candidates: 2 });
const hanging: Step[] = [textEvents("sl", "ow").slice(0, 3), "hang"];
const verdict = { failed: [], passed: 1, isComplete: true, isProven: false, isRetryable: false };

/** The last one is chosen once all have come. */
const candidates = (calls: readonly Call[], judge?: CandidatesStrategy["judge"]): CandidatesStrategy => ({
  kind: "candidates",
  attempts: calls.map((call, at) => placeThatSays(`p${at}`, [call])),
  count: calls.length,
  judge: judge ?? (async () => ({ verdict, conclusion: undefined, words: new Map(), characters: 1 })),
  choose: (arrived, coming) =>
    coming > 0
      ? undefined
      : { chosen: arrived.length - 1, answers: arrived.map(() => ({ score: 1, reason: "later" })) },
});

/** Asks, and leaves once so much was put down. */
async function putDown(strategy: CandidatesStrategy | CheckedStrategy, times: number) {
  const { service, recorder } = serviceOf({ strategy });
  const leaving = new AbortController();
  const asked = service.generate(input, caller(leaving.signal)).catch(() => {});
  await expect.poll(() => recorder.provisional).toHaveLength(times);
  const before = [...recorder.provisional];
  leaving.abort();
  await asked;
  expect(recorder.records).toHaveLength(1);
  // What ends when its caller has left puts nothing in place of the record.
  expect(recorder.provisional).toHaveLength(times);
  return before;
}

describe("provisionalRecord()", () => {
  it("has what all attempts have cost and said, each time that one has ended and others go on", async () => {
    const [, one] = await putDown(candidates(["first", hanging]), 2);
    expect(one?.error?.message).toBe("the process that asked for the answer has ended: send the request again");
    // 5 tokens of the prompt at 1 USD per million, and of the answers at 10: two, and one that had come.
    expect(one).toMatchObject({
      status: "canceled",
      costNanos: 40_000,
      saved: undefined,
      stored: false,
      coalescingKey: undefined,
      attempts: [
        { outcome: "completed", isEstimated: false, isWinner: false, costNanos: 25_000 },
        { outcome: "canceled", isEstimated: true, isWinner: false, costNanos: 15_000 },
      ],
      output: { notChosen: [{ attempt: 0 }, { attempt: 1 }] },
    });
    expect(one?.output.notChosen.map(({ content }) => content[0]?.kind.value)).toMatchObject([
      ...[{ text: "first" }, { text: "sl" }],
    ]);
  });

  it("has the prompts of those that have yet to say a word", async () => {
    const [begun] = await putDown(candidates([["hang"], ["hang"]]), 1);
    expect(begun).toMatchObject({ status: "canceled", output: { notChosen: [] } });
    expect(begun?.attempts.map(({ outcome, isEstimated }) => [outcome, isEstimated])).toEqual([
      ...[
        ["canceled", true],
        ["canceled", true],
      ],
    ]);
    expect(begun?.costNanos).toBe((begun?.attempts[0]?.costNanos ?? 0) * 2);
    expect(begun?.costNanos).toBeGreaterThan(0);
  });

  it("is there while an answer is judged, and has one that failed as it ended", async () => {
    const judging = candidates(["first", [overloaded]], async (_, signal) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw InferenceError.fromAbort(signal);
    });
    expect((await putDown(judging, 3)).at(-1)).toMatchObject({
      costNanos: 25_000,
      attempts: [{ outcome: "completed" }, { outcome: "failed", usage: undefined }],
    });
  });

  it("is made again for the first answer of a retry by check, and not before", async () => {
    const place = placeThatSays("p", ["bad", hanging]);
    const check: CheckedStrategy["check"] = async (answer) => ({
      ...verdict,
      ...(textOf(answer) === "bad" && { failed: ["invalid_json"], isRetryable: true }),
    });
    const [record] = await putDown({ kind: "checked", attempts: [place], again: [place], check }, 1);
    expect(record).toMatchObject({
      attempts: [
        { role: "primary", outcome: "completed", costNanos: 25_000, failedChecks: ["invalid_json"] },
        { role: "retry", outcome: "canceled", isEstimated: true },
      ],
    });
  });

  it("is not made where one answer is asked for, or passes at once", async () => {
    const place = placeThatSays("p", ["good"]);
    for (const strategy of [
      { kind: "sequence" as const, attempts: [place] },
      { kind: "checked" as const, attempts: [place], again: [place], check: async () => verdict },
    ]) {
      const { service, recorder } = serviceOf({ strategy });
      await service.generate(input, caller());
      expect([recorder.records.length, recorder.provisional]).toEqual([1, []]);
    }
  });

  it("is of a failure where it is made in the background, of which nothing is learned, and can be read", () => {
    const facts = {
      id: newId(),
      principal: caller().principal,
      input,
      prompt: { input, historyLength: 0, previousId: undefined, signer: testSigner },
      streamed: false,
      plan: { ...stubPlan(), decision: DECISION },
    };
    const recordOf = (background: boolean) => new InferenceRun({ ...facts, background }).provisionalRecord();
    const { status, error, stored, decision } = recordOf(true);
    expect({ status, stored, decision }).toEqual({ status: "failed", stored: true, decision: undefined });
    expect(error?.message).toContain("made the response in the background has ended");
    expect(recordOf(false)).toMatchObject({ status: "canceled", stored: false, decision: DECISION });
  });

  it("leaves the record as it is without", async () => {
    const { service, recorder } = serviceOf({ strategy: candidates(["first", "second"]) });
    expect(textOf(await service.generate(input, caller()))).toBe("second");
    expect(recorder.records).toMatchObject([
      { status: "completed", costNanos: 50_000, output: { notChosen: [{ attempt: 0 }] } },
    ]);
  });
});
