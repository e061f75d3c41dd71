import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RefusedCalls } from "../../src/admission/refused-calls.ts";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import type { RefusalBatch } from "../../src/hub/refusals.ts";

const CALL = "POST /v1/messages";
const PRINCIPAL = { keyId: "k", projectId: "p" };

function start() {
  const batches: RefusalBatch[] = [];
  const counted: string[] = [];
  const database = { isAway: false };
  const calls = new RefusedCalls({
    async write(batch) {
      if (database.isAway) throw new Error("away");
      batches.push(batch);
    },
    count: (reason) => counted.push(reason),
    periodMs: 3_600_000,
  });
  onTestFinished(() => calls.close());
  return { calls, batches, counted, database };
}

function refused(reason: ErrorReason, message = "no"): InferenceError {
  return new InferenceError(reason, message);
}

describe("RefusedCalls", () => {
  it.each([
    [ErrorReason.UNAUTHENTICATED, "unknown_key"],
    [ErrorReason.PERMISSION_DENIED, "not_allowed"],
    [ErrorReason.MODEL_NOT_FOUND, "unknown_model"],
    [ErrorReason.RATE_LIMITED, "limit"],
    [ErrorReason.QUOTA_EXCEEDED, "budget"],
    [ErrorReason.INVALID_REQUEST, "bad_request"],
    [ErrorReason.REQUEST_TOO_LARGE, "too_large"],
  ])("counts reason %s as %s", async (reason, name) => {
    const { calls, batches, counted } = start();
    calls.note(refused(reason), { call: CALL, principal: PRINCIPAL });
    await calls.flush();
    expect(counted).toEqual([name]);
    expect(batches[0]?.counts).toEqual([
      {
        minute: expect.any(Number),
        firstMs: expect.any(Number),
        lastMs: expect.any(Number),
        reason: name,
        ...PRINCIPAL,
        calls: 1,
      },
    ]);
    expect(batches[0]?.samples).toMatchObject([{ reason: name, ...PRINCIPAL, call: CALL, message: "no" }]);
  });

  it("counts a former key for its owner", async () => {
    const { calls, batches } = start();
    const rejectedKey = { rejected: "revoked_key", owner: PRINCIPAL } as const;
    const error = new InferenceError(ErrorReason.UNAUTHENTICATED, "no", { rejectedKey });
    calls.note(error, { call: CALL, principal: undefined });
    await calls.flush();
    expect(batches[0]?.counts).toMatchObject([{ reason: "revoked_key", ...PRINCIPAL }]);
  });

  it.each([
    ["a failure of the service", refused(ErrorReason.INTERNAL)],
    ["a client that left", refused(ErrorReason.CANCELED)],
    ["a limit of an upstream", new InferenceError(ErrorReason.RATE_LIMITED, "slow down", { upstream: "u" })],
    ["a call with a record", new InferenceError(ErrorReason.INVALID_REQUEST, "no", { inferenceId: "i" })],
  ])("does not count %s", async (_what, error) => {
    const { calls, batches, counted } = start();
    calls.note(error, { call: CALL, principal: PRINCIPAL });
    await calls.flush();
    expect({ batches, counted }).toEqual({ batches: [], counted: [] });
  });

  it("writes one count and the last 100 of a flood, without secrets", async () => {
    const { calls, batches } = start();
    for (let at = 0; at < 5000; at += 1) {
      const message = `call ${at} with sk-abcdef0123456789`;
      calls.note(refused(ErrorReason.UNAUTHENTICATED, message), { call: CALL, principal: undefined });
    }
    await calls.flush();
    const counts = batches.flatMap((batch) => batch.counts);
    expect(counts.reduce((sum, count) => sum + count.calls, 0)).toBe(5000);
    // Two where the minute changed meanwhile.
    expect(counts.length).toBeLessThanOrEqual(2);
    const messages = batches[0]?.samples.map(({ message }) => message);
    expect(messages).toEqual(Array.from({ length: 100 }, (_, at) => `call ${4900 + at} with [redacted]`));
  });

  it("counts keys beyond its room without their names", async () => {
    const { calls, batches } = start();
    for (let at = 0; at < 10_500; at += 1) {
      const principal = { keyId: `k${at}`, projectId: `p${at}` };
      calls.note(refused(ErrorReason.INVALID_REQUEST), { call: CALL, principal });
    }
    await calls.flush();
    const [{ counts, samples } = { counts: [], samples: [] }] = batches;
    expect(counts.reduce((sum, count) => sum + count.calls, 0)).toBe(10_500);
    expect(counts.length).toBeLessThanOrEqual(10_002);
    expect(samples).toHaveLength(100);
  });

  it("keeps what a database did not take, with what came later", async () => {
    const { calls, batches, database } = start();
    database.isAway = true;
    calls.note(refused(ErrorReason.INVALID_REQUEST, "first"), { call: CALL, principal: PRINCIPAL });
    await calls.flush();
    calls.note(refused(ErrorReason.INVALID_REQUEST, "second"), { call: CALL, principal: PRINCIPAL });
    database.isAway = false;
    await calls.flush();
    await calls.flush();
    expect(batches).toHaveLength(1);
    expect(batches[0]?.counts.reduce((sum, count) => sum + count.calls, 0)).toBe(2);
    expect(batches[0]?.samples.map(({ message }) => message)).toEqual(["first", "second"]);
  });

  it("counts by the hour in a long outage, with the times of the first and the last", async () => {
    const { calls, batches, database } = start();
    vi.useFakeTimers({ now: Date.parse("2026-11-27T10:00:00Z"), toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    database.isAway = true;
    for (let minute = 0; minute < 5 * 60; minute += 1) {
      calls.note(refused(ErrorReason.RATE_LIMITED), { call: CALL, principal: PRINCIPAL });
      await calls.flush();
      vi.setSystemTime(Date.now() + 60_000);
    }
    database.isAway = false;
    await calls.flush();
    const counts = batches.flatMap((batch) => batch.counts);
    expect(counts.reduce((sum, count) => sum + count.calls, 0)).toBe(300);
    // Three hours, and the minutes of the two that are counted by the minute.
    expect(counts.length).toBeLessThanOrEqual(3 + 121);
    expect(counts.find(({ calls: made }) => made === 60)).toMatchObject({
      firstMs: Date.parse("2026-11-27T10:00:00Z"),
      lastMs: Date.parse("2026-11-27T10:59:00Z"),
    });
  });
});
