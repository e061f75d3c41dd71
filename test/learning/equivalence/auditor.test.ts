import { setImmediate as turn } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import { UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { AuditedAnswer } from "../../../src/inference/ports.ts";
import type { AuditState } from "../../../src/learning/equivalence/audit-state.ts";
import { Auditor, type AuditSettings } from "../../../src/learning/equivalence/auditor.ts";

const SETTINGS: AuditSettings = { share: 1, nullShare: 0, callsPerHour: 1000, concurrency: 2, timeoutMs: 60_000 };

const usage = create(UsageSchema);
const saying = (text: string) =>
  create(GenerateResponseSchema, {
    content: [{ kind: { case: "text", value: { text } } }],
    finished: { reason: FinishReason.STOP },
  });

let prompts = 0;
const answer = (given: Partial<AuditedAnswer> = {}): AuditedAnswer => ({
  model: "m",
  place: { upstream: "b", model: "real" },
  plainPlace: { upstream: "a", model: "real" },
  isDeterministic: false,
  promptKey: `prompt ${prompts++}`,
  promptTokens: 10,
  response: saying("hello"),
  askPlain: async () => ({ response: saying("hello"), usage, costNanos: 7 }),
  failedNanos: () => undefined,
  ...given,
});

function start(settings: Partial<AuditSettings> = {}, random = () => 0.5) {
  const seen = { calls: 0, cost: 0, compared: 0, skipped: [] as string[], failures: [] as unknown[] };
  let state: AuditState | undefined;
  let nowMs = 0;
  const auditor = new Auditor({
    settings: { ...SETTINGS, ...settings },
    store: {
      async change(_, change) {
        const before = state;
        state = change(before);
        return { before, after: state };
      },
    },
    watch: {
      called(_, costNanos = 0) {
        seen.calls++;
        seen.cost += costNanos;
      },
      compared: () => seen.compared++,
      skipped: (why) => seen.skipped.push(why),
    },
    onChange: () => {},
    onFailure: (error) => seen.failures.push(error),
    random,
    now: () => nowMs,
  });
  onTestFinished(() => auditor.close());
  return { auditor, seen, state: () => state, pass: (ms: number) => (nowMs += ms) };
}

const settled = async () => {
  for (let turns = 0; turns < 20; turns++) await turn();
};

describe("Auditor", () => {
  it("draws the configured share", () => {
    let draw = 0;
    const { auditor } = start({ share: 0.1 }, () => draw++ / 100);
    expect(Array.from({ length: 100 }, () => auditor.isSampled()).filter(Boolean)).toHaveLength(10);
  });

  it("asks the plain call once or twice, compares, and counts the calls and what they cost", async () => {
    const once = start();
    once.auditor.offer(() => answer());
    await settled();
    expect(once.seen).toEqual({ calls: 1, cost: 7, compared: 1, skipped: [], failures: [] });
    expect(once.state()?.evidence).toMatchObject({ total: { samples: 1 }, nulls: 0, distance: 0 });

    const twice = start({ nullShare: 1 });
    twice.auditor.offer(() => answer());
    await settled();
    expect(twice.seen).toMatchObject({ calls: 2, cost: 14, compared: 1 });
    expect(twice.state()?.evidence).toMatchObject({ total: { samples: 1 }, nulls: 1, baseDistance: 0 });
  });

  it("keeps no text of what it compared", async () => {
    const { auditor, state } = start({ nullShare: 1 });
    auditor.offer(() => answer({ response: saying("a secret of the caller"), isDeterministic: true }));
    await settled();
    expect(state()?.evidence.total.samples).toBe(1);
    expect(JSON.stringify(state())).not.toContain("secret");
  });

  it("returns at once: the answer is made ready later", async () => {
    const { auditor } = start();
    let isMade = false;
    auditor.offer(() => {
      isMade = true;
      return undefined;
    });
    expect(isMade).toBe(false);
    await settled();
    expect(isMade).toBe(true);
  });

  it("compares so many at a time, lets so many wait, and skips the others", async () => {
    const { auditor, seen } = start({ concurrency: 2 });
    let [running, most] = [0, 0];
    const gate = Promise.withResolvers<void>();
    const askPlain = async () => {
      most = Math.max(most, ++running);
      await gate.promise;
      running--;
      return { response: saying("hello"), usage, costNanos: undefined };
    };
    for (let count = 0; count < 30; count++) auditor.offer(() => answer({ askPlain }));
    await settled();
    // Two run and 16 wait.
    expect(seen.skipped).toEqual(Array.from({ length: 12 }, () => "full"));
    gate.resolve();
    await settled();
    expect(seen.compared).toBe(18);
    expect(most).toBe(2);
  });

  it("skips large prompts while others wait", async () => {
    const { auditor, seen } = start({ concurrency: 1 });
    const askPlain = () => new Promise<never>(() => {});
    for (let count = 0; count < 8; count++) auditor.offer(() => answer({ askPlain, promptTokens: 100_000 }));
    await settled();
    // One runs and five wait.
    expect(seen.skipped).toEqual(["full", "full"]);
  });

  it("makes no more calls than its budget has, of which a tenth can be saved up", async () => {
    const { auditor, seen, pass } = start({ callsPerHour: 30, nullShare: 0 });
    const offer = async (count: number) => {
      for (let at = 0; at < count; at++) auditor.offer(() => answer());
      await settled();
    };
    await offer(5);
    expect(seen).toMatchObject({ calls: 3, skipped: ["budget", "budget"] });
    // Two minutes earn one call.
    pass(120_000);
    await offer(2);
    expect(seen.calls).toBe(4);
    pass(10 * 3_600_000);
    await offer(5);
    expect(seen.calls).toBe(7);
  });

  it("spends no more in any 24 hours than it may, of which a tenth can be saved up", async () => {
    const USD = 1_000_000_000;
    const { auditor, seen, pass } = start({ usdPerDay: 10, concurrency: 1, callsPerHour: 1_000_000 });
    const askPlain = async () => ({ response: saying("hello"), usage, costNanos: USD / 4 });
    const offer = async (count: number) => {
      for (let at = 0; at < count; at++) auditor.offer(() => answer({ askPlain }));
      await settled();
    };
    await offer(6);
    expect(seen).toMatchObject({ calls: 4, cost: USD, skipped: ["spend", "spend"] });
    // An hour earns a 24th of nine USD: what was saved up and a whole day come to ten.
    const perHour: number[] = [];
    for (let hour = 0; hour < 24; hour++) {
      pass(3_600_000);
      const before = seen.cost;
      await offer(6);
      perHour.push(seen.cost - before);
    }
    expect(Math.min(...perHour)).toBeGreaterThan(0);
    expect(seen.cost).toBe(10 * USD);
    // Nothing was compared for days: a tenth is there.
    pass(5 * 24 * 3_600_000);
    await offer(6);
    expect(seen.cost).toBe(11 * USD);
  });

  it("spends what failed calls cost too", async () => {
    const { auditor, seen } = start({ usdPerDay: 1, concurrency: 1 });
    const askPlain = () => Promise.reject(new Error("broke off"));
    for (let at = 0; at < 3; at++) auditor.offer(() => answer({ askPlain, failedNanos: () => 60_000_000 }));
    await settled();
    // A tenth of a dollar was there.
    expect(seen).toMatchObject({ calls: 2, cost: 120_000_000, skipped: ["failed", "failed", "spend"] });
    expect(seen.failures).toHaveLength(2);
  });

  it("earns back what calls under way cost beyond the money before it makes others", async () => {
    const { auditor, seen, pass } = start({ usdPerDay: 1, nullShare: 1, concurrency: 1 });
    const askPlain = async () => ({ response: saying("hello"), usage, costNanos: 500_000_000 });
    for (let count = 0; count < 2; count++) auditor.offer(() => answer({ askPlain }));
    await settled();
    // Two calls for one answer: a dollar, where ten cents were there.
    expect(seen).toMatchObject({ calls: 2, skipped: ["spend"] });
    pass(23 * 3_600_000);
    auditor.offer(() => answer({ askPlain }));
    await settled();
    expect(seen).toMatchObject({ calls: 2, skipped: ["spend", "spend"] });
    pass(2 * 3_600_000);
    auditor.offer(() => answer({ askPlain }));
    await settled();
    expect(seen.calls).toBe(4);
  });

  it("skips answers that wait when the money is used up, and goes by calls alone where no cost is known", async () => {
    const { auditor, seen } = start({ usdPerDay: 0.01, concurrency: 1 });
    const gate = Promise.withResolvers<void>();
    const costing = (costNanos: number | undefined) => async () => {
      await gate.promise;
      return { response: saying("hello"), usage, costNanos };
    };
    for (const costNanos of [undefined, undefined, 1_000_000, 1, 1]) {
      auditor.offer(() => answer({ askPlain: costing(costNanos) }));
    }
    await settled();
    expect(seen.skipped).toEqual([]);
    gate.resolve();
    await settled();
    expect(seen).toMatchObject({ calls: 3, compared: 3, skipped: ["spend", "spend"] });
  });

  it("asks a prompt once for each deployment: the same again would count as if it were new", async () => {
    const { auditor, seen } = start();
    const other = { upstream: "c", model: "real" };
    for (const place of [undefined, undefined, other]) {
      auditor.offer(() => answer({ promptKey: "same", ...(place !== undefined && { place }) }));
    }
    await settled();
    expect(seen).toMatchObject({ compared: 2, skipped: ["repeated"] });
  });

  it("counts what fails, and goes on", async () => {
    const { auditor, seen } = start();
    auditor.offer(() => answer({ askPlain: () => Promise.reject(new Error("overloaded")) }));
    auditor.offer(() => {
      throw new Error("a defect");
    });
    auditor.offer(() => answer());
    await settled();
    expect(seen).toMatchObject({ compared: 1, skipped: ["failed", "failed"] });
    expect(seen.failures.map(String).sort()).toEqual(["Error: a defect", "Error: overloaded"]);
  });

  it("gives up what takes longer than it may", async () => {
    const { auditor, seen } = start({ timeoutMs: 20 });
    const askPlain: AuditedAnswer["askPlain"] = (signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    auditor.offer(() => answer({ askPlain }));
    await expect.poll(() => seen.skipped).toEqual(["failed"]);
  });

  it("breaks off what is under way when it is closed", async () => {
    const { auditor, seen } = start();
    const askPlain: AuditedAnswer["askPlain"] = (signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    for (let count = 0; count < 5; count++) auditor.offer(() => answer({ askPlain }));
    await settled();
    await auditor.close();
    expect(auditor.isSampled()).toBe(false);
    expect(seen).toMatchObject({ compared: 0, failures: [] });
  });
});
