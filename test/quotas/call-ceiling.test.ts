import { describe, expect, it } from "vitest";
import type { CatalogModel } from "../../src/catalog/model.ts";
import { ErrorReason } from "../../src/hub/error.ts";
import { createHubInput, type HubInit } from "../../src/hub/input.ts";
import type { CandidatesStrategy, CheckedStrategy, Plan } from "../../src/inference/ports.ts";
import { createCallLimiter } from "../../src/quotas/call-limiter.ts";
import type { SubjectQuota } from "../../src/quotas/quota.ts";
import { QuotaLedger } from "../../src/quotas/quota-ledger.ts";
import { caller, overloaded, placeThatSays, serviceOf } from "../support/answer-by-plan.ts";
import { stubModel } from "../support/stub-upstream.ts";

/** A prompt of 1 token at 1 USD a million, and the 100 tokens that an answer may have at 10. */
const BOUND_NANOS = 1_001_250n;
/** The stub answers "Hello" in two pieces: 5 tokens in, 2 out. */
const CALL_NANOS = 25_000n;

const free = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
const unpriced: CatalogModel = { ...stubModel, name: "unpriced", price: undefined };
const dear: CatalogModel = { ...stubModel, name: "dear", price: { ...free, output: 20_000_000 } };

const place = (name = "up", model = stubModel) => ({ ...placeThatSays(name, ["Hello"]), model });
const busy = () => placeThatSays("busy", [[overloaded]]);

function serve(strategy: Plan["strategy"], quotas: SubjectQuota[] = []) {
  const ledger = new QuotaLedger(() => 0);
  const limiter = createCallLimiter({
    book: { find: () => quotas },
    ledger,
    now: () => 0,
    reserve: () => "usual",
    hidesModels: () => false,
  });
  return { ...serviceOf({ strategy }, { limiter }), ledger };
}

const ask = (maxCostNanos: bigint, more: HubInit = {}) => createHubInput({ model: "attune/m", maxCostNanos, ...more });

describe("a ceiling of one call", () => {
  it("refuses a call that may cost more, before anything is sent", async () => {
    const { service, recorder } = serve({ kind: "sequence", attempts: [place()] });
    await expect(service.generate(ask(BOUND_NANOS - 1n), caller())).rejects.toMatchObject({
      reason: ErrorReason.INVALID_REQUEST,
      message:
        "the call may cost 0.00100125 USD, and 'attune-max-usd' (over RPC 'max_cost_nanos') allows 0.001001249 USD: " +
        "lower its output limit, shorten its prompt, or raise the ceiling",
    });
    expect(recorder.records).toHaveLength(0);
    await service.generate(ask(BOUND_NANOS), caller());
    await service.generate(ask(BOUND_NANOS / 2n, { maxOutputTokens: 49 }), caller());
  });

  it("counts every choice of one that asks for several", async () => {
    const { service } = serve({ kind: "sequence", attempts: [place()] });
    await expect(service.generate(ask(2n * BOUND_NANOS - 1n, { n: 2 }), caller())).rejects.toMatchObject({
      reason: ErrorReason.INVALID_REQUEST,
    });
    const { furtherChoices } = await service.generate(ask(2n * BOUND_NANOS, { n: 2 }), caller());
    expect(furtherChoices).toHaveLength(1);
  });

  it("refuses a model without a price", async () => {
    const { service } = serve({ kind: "sequence", attempts: [place("up", unpriced)] });
    await expect(service.generate(ask(10n ** 12n), caller())).rejects.toMatchObject({
      reason: ErrorReason.INVALID_REQUEST,
      message:
        "the model 'unpriced' has no price, which 'attune-max-usd' (over RPC 'max_cost_nanos') needs: " +
        "leave it out, or call another model",
    });
  });

  it("passes failover by what may cost more", async () => {
    const attempts = [busy(), place("dear", dear), place("unpriced", unpriced), place("last")];
    const { service, recorder } = serve({ kind: "sequence", attempts });
    await service.generate(ask(BOUND_NANOS), caller());
    expect(recorder.records[0]?.attempts.map(({ outcome }) => outcome)).toEqual([
      ...["failed", "refused", "refused", "completed"],
    ]);
  });

  it("tells why the first attempt failed where no other one has room", async () => {
    const { service } = serve({ kind: "sequence", attempts: [busy(), place("dear", dear)] });
    await expect(service.generate(ask(BOUND_NANOS), caller())).rejects.toMatchObject({
      reason: ErrorReason.UPSTREAM_OVERLOADED,
    });
  });

  it("begins as many candidates as it has room for", async () => {
    const verdict = { failed: [], passed: 1, isComplete: true, isProven: false, isRetryable: false };
    const strategy: CandidatesStrategy = {
      kind: "candidates",
      attempts: ["a", "b", "c"].map((name) => place(name)),
      count: 3,
      judge: async () => ({ verdict, conclusion: undefined, words: new Map(), characters: 1 }),
      choose: (arrived, coming) =>
        coming > 0 ? undefined : { chosen: 0, answers: arrived.map(() => ({ score: 1, reason: "later" })) },
    };
    const { service, recorder } = serve(strategy);
    await service.generate(ask(2n * BOUND_NANOS, { candidates: 3 }), caller());
    expect(recorder.records[0]?.attempts.map(({ outcome }) => outcome)).toEqual(["completed", "completed", "refused"]);
  });

  it.each([
    [BOUND_NANOS + CALL_NANOS, ["completed", "completed"]],
    [BOUND_NANOS + CALL_NANOS - 1n, ["completed", "refused"]],
  ])("gives the first answer where %d nano-USD have no room for a retry", async (nanos, outcomes) => {
    const strategy: CheckedStrategy = {
      kind: "checked",
      attempts: [place()],
      again: [],
      check: async () => ({
        failed: ["invalid_json"],
        passed: 0,
        isComplete: true,
        isProven: false,
        isRetryable: true,
      }),
    };
    const { service, recorder } = serve(strategy);
    await service.generate(ask(nanos), caller());
    expect(recorder.records[0]?.attempts.map(({ outcome }) => outcome)).toEqual(outcomes);
  });

  it("counts in the quotas of its caller too, which keep what they had where it refuses", async () => {
    const quota = { kind: "key" as const, subject: "key:k", quota: { requestsPerMinute: 9, costNanosTotal: 10 ** 9 } };
    const { service, ledger } = serve({ kind: "sequence", attempts: [place()] }, [quota]);
    await expect(service.generate(ask(1n), caller())).rejects.toMatchObject({ reason: ErrorReason.INVALID_REQUEST });
    expect(ledger.used("key:k", "requestsPerMinute")).toBe(0);
    await service.generate(ask(BOUND_NANOS), caller());
    expect(ledger.used("key:k", "costNanosTotal")).toBe(Number(CALL_NANOS));
  });
});
