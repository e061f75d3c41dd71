import { describe, expect, it } from "vitest";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { blockEndEvent, finishedEvent } from "../../../src/hub/events.ts";
import type { EventSink } from "../../../src/hub/upstream.ts";
import { runChoices } from "../../../src/inference/attempts/run-choices.ts";
import { stubPlace, stubUpstream } from "../../support/stub-upstream.ts";

const strategy = { kind: "sequence" as const, attempts: [stubPlace(stubUpstream("a", []))] };
const limits = { signal: new AbortController().signal, mayBegin: () => true, putDown: () => {} };
const last = finishedEvent({});

/** Runs choices that are made so, each with its position. */
function run(count: number, sink: EventSink, make: (sink: EventSink, position: number) => Promise<void>) {
  let begun = 0;
  const begin = ({ claim }: { claim(): void }) => {
    const position = begun++;
    return {
      make: async (take: EventSink): Promise<void> => {
        claim();
        await make(take, position);
      },
    };
  };
  return runChoices(strategy, { count, begin, sink, end: () => last }, limits);
}

describe("runChoices()", () => {
  it("hands the end on when all choices have ended", async () => {
    const taken: GenerateEvent[] = [];
    const done = Promise.withResolvers<void>();
    const running = run(
      2,
      (events) => void taken.push(...events),
      async (take, position) => {
        await take([blockEndEvent(position)]);
        if (position === 0) await done.promise;
        else done.resolve();
      },
    );
    await running;
    expect(taken).toEqual([blockEndEvent(0), blockEndEvent(1), last]);
  });

  it("hands on one batch at a time to a reader who lags, and no choice goes on before its batch was taken", async () => {
    const taken: GenerateEvent[][] = [];
    const lags: (() => void)[] = [];
    const sink: EventSink = (events) => {
      taken.push(events);
      return new Promise((resolve) => lags.push(resolve));
    };
    const offered = [0, 0, 0];
    const running = run(3, sink, async (take, position) => {
      for (let batch = 0; batch < 2; batch++) {
        offered[position] = batch + 1;
        await take([blockEndEvent(position)]);
      }
    });
    for (let batch = 1; batch <= 7; batch++) {
      await expect.poll(() => taken.length).toBe(batch);
      expect(offered.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(batch + 2);
      lags.shift()?.();
    }
    await running;
    expect(taken.at(-1)).toEqual([last]);
  });

  it("fails with the first failure, and breaks the other choices off", async () => {
    const failure = new InferenceError(ErrorReason.UPSTREAM_ERROR, "broken");
    const running = run(
      2,
      () => {},
      async (_take, position) => {
        if (position === 1) throw failure;
      },
    );
    await expect(running).rejects.toThrow("broken");
  });
});
