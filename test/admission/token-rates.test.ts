import { describe, expect, it, vi } from "vitest";
import { TokenRates } from "../../src/admission/token-rates.ts";

const sender = (token: string, target: string, address: string | undefined) => ({ token, target, address });

/** Counts requests until one is refused; returns how many were taken, and why no more. */
function takenOf(rates: TokenRates, senderOf: (at: number) => ReturnType<typeof sender>) {
  for (let at = 0; at < 1000; at++) {
    try {
      rates.count(senderOf(at));
    } catch (thrown) {
      return { taken: at, problem: String(thrown) };
    }
  }
  throw new Error("none was refused");
}

describe("TokenRates", () => {
  const limits = { tokenRequests: 9, answerRequests: 18, addressRequests: 27 };

  it.each([
    ["a token", (_at: number) => sender("t", "x", "a"), 3, "tokenRequests"],
    ["an answer, whatever the token", (at: number) => sender(`t${at}`, "x", `a${at}`), 6, "answerRequests"],
    ["an address, whatever the answer", (at: number) => sender(`t${at}`, `x${at}`, "a"), 9, "addressRequests"],
  ])("bounds requests of %s", (_what, senderOf, taken, setting) => {
    const result = takenOf(new TokenRates(limits), senderOf);
    expect(result.taken).toBe(taken);
    expect(result.problem).toContain(
      `at most ${3 * taken} requests a minute, in bursts of ${taken} (server.limits.${setting})`,
    );
  });

  it("takes more as time goes by, and says when", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const rates = new TokenRates(limits);
      takenOf(rates, () => sender("t", "x", undefined));
      expect(() => rates.count(sender("t", "x", undefined))).toThrow(
        expect.objectContaining({ facts: expect.objectContaining({ retryAfterMs: 6667 }) }),
      );
      vi.advanceTimersByTime(6667);
      rates.count(sender("t", "x", undefined));
      expect(() => rates.count(sender("t", "x", undefined))).toThrow(/too much feedback/);
    } finally {
      vi.useRealTimers();
    }
  });
});
