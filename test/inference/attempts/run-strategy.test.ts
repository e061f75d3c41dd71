import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { RefusedAttempt } from "../../../src/inference/attempts/refused-attempt.ts";
import { type BegunAttempt, runStrategy } from "../../../src/inference/attempts/run-strategy.ts";
import type { Strategy } from "../../../src/inference/ports.ts";
import { stubPlace, stubUpstream } from "../../support/stub-upstream.ts";

const attempts = ["a", "b", "c"].map((name) => stubPlace(stubUpstream(name, [])));
const sequence: Strategy = { kind: "sequence", attempts };
const hedged: Strategy = { kind: "hedged", attempts, afterMs: 5 };
const overloaded = new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, "busy");
const never = new AbortController().signal;

type Play = (attempt: BegunAttempt) => Promise<void>;

/** Plays each place by its name; returns how the attempts began. */
function run(strategy: Strategy, plays: Record<string, Play>, signal = never) {
  const begun: string[] = [];
  const make = async (attempt: BegunAttempt): Promise<void> => {
    begun.push(`${attempt.planned.upstream.name} ${attempt.role}`);
    await plays[attempt.planned.upstream.name]?.(attempt);
  };
  return { begun, done: runStrategy(strategy, make, { signal, mayBegin: () => true }) };
}

const answer: Play = async ({ claim }) => claim();
const fail: Play = async () => {
  throw overloaded;
};
/** Waits until it is broken off. */
const hang: Play = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(InferenceError.fromAbort(signal)), { once: true });
  });

describe("runStrategy()", () => {
  it("goes on from place to place until one answers", async () => {
    const { begun, done } = run(sequence, { a: fail, b: answer, c: answer });
    await done;
    expect(begun).toEqual(["a primary", "b failover"]);
  });

  it("goes on where a format cannot carry the request, and tells that where none can", async () => {
    const refuse: Play = async () => {
      throw new RefusedAttempt(InferenceError.invalid("input.x", "cannot be carried"));
    };
    const first = run(sequence, { a: refuse, b: answer });
    await first.done;
    expect(first.begun).toEqual(["a primary", "b failover"]);
    const all = run(sequence, { a: refuse, b: refuse, c: refuse });
    await expect(all.done).rejects.toMatchObject({ reason: ErrorReason.INVALID_REQUEST });
  });

  it("waits for the end of the attempt that has answered, and throws what breaks it then", async () => {
    const end = Promise.withResolvers<void>();
    const { done } = run(sequence, {
      a: async ({ claim }) => {
        claim();
        await end.promise;
      },
    });
    const settled = vi.fn();
    done.then(settled, settled);
    await new Promise(setImmediate);
    expect(settled).not.toHaveBeenCalled();
    end.reject(overloaded);
    await expect(done).rejects.toBe(overloaded);
  });

  it("begins another attempt beside a slow one, and breaks off the one that is slower", async () => {
    const { begun, done } = run(hedged, { a: hang, b: answer });
    await done;
    expect(begun).toEqual(["a primary", "b hedge"]);
  });

  it("lets an attempt that answers too late know it", async () => {
    const late = Promise.withResolvers<unknown>();
    const { done } = run(hedged, {
      a: async ({ claim, signal }) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        try {
          claim();
        } catch (thrown) {
          late.resolve(thrown);
          throw thrown;
        }
      },
      b: answer,
    });
    await done;
    expect(await late.promise).toMatchObject({ reason: ErrorReason.CANCELED });
  });

  it("begins nothing beside an answer that came in time", async () => {
    // Not a clock that is set by hand: servers and clients of other tests live in this process, and would wait forever
    // for timers that they set by it.
    const afterMs = 37;
    const timers = vi.spyOn(globalThis, "setTimeout");
    const end = Promise.withResolvers<void>();
    const { begun, done } = run(
      { ...hedged, afterMs },
      {
        a: async ({ claim }) => {
          claim();
          await end.promise;
        },
      },
    );
    await delay(2 * afterMs);
    end.resolve();
    await done;
    expect(begun).toEqual(["a primary"]);
    expect(timers.mock.calls.filter(([, delayMs]) => delayMs === afterMs)).toHaveLength(1);
    timers.mockRestore();
  });

  it.each([sequence, hedged])("ends all attempts of a $kind strategy when the caller leaves", async (strategy) => {
    const controller = new AbortController();
    const { done } = run(strategy, { a: hang, b: hang, c: hang }, controller.signal);
    setTimeout(() => controller.abort(), 20);
    await expect(done).rejects.toMatchObject({ reason: ErrorReason.CANCELED });
  });
});
