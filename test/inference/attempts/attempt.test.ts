import { describe, expect, it } from "vitest";
import { createHubInput } from "../../../src/hub/input.ts";
import { Attempt } from "../../../src/inference/attempts/attempt.ts";
import type { AttemptHost } from "../../../src/inference/attempts/attempt-host.ts";
import type { AttemptQuota, AttemptRecord } from "../../../src/inference/ports.ts";
import { placeThatSays } from "../../support/answer-by-plan.ts";
import { stubPlan } from "../../support/stub-upstream.ts";
import { signerOf } from "../../support/test-signer.ts";

describe("Attempt", () => {
  it("costs nothing and gives back what it reserved, where it was broken off while it waited for that", async () => {
    const reserved = Promise.withResolvers<AttemptQuota>();
    const ended: AttemptRecord[] = [];
    const input = createHubInput({ model: "attune/m" });
    const host = {
      id: "i",
      principal: { keyId: "k", projectId: "p" },
      input,
      streamed: false,
      startMs: 0,
      prompt: { input, historyLength: 0, previousId: undefined, signer: signerOf("p") },
      plan: stubPlan(),
      reserve: () => reserved.promise,
      ended: ({ record }) => void ended.push(record),
    } as Partial<AttemptHost> as AttemptHost;
    const stop = new AbortController();
    const planned = placeThatSays("up", ["Hello"]);
    const attempt = new Attempt(host, {
      planned,
      role: "candidate",
      signal: stop.signal,
      isHedged: false,
      claim: () => {},
    });
    const held = attempt.hold();
    attempt.breakOff();
    stop.abort();
    const settled: unknown[] = [];
    reserved.resolve({ settle: (taken) => void settled.push(taken) });
    await held.catch(() => {});
    expect(ended).toMatchObject([{ outcome: "canceled", usage: undefined, costNanos: undefined }]);
    expect(settled).toEqual([{}]);
  });
});
