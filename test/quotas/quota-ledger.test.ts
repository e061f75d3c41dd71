import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { Quota, SubjectQuota } from "../../src/quotas/quota.ts";
import { type Amounts, QUOTA_RULE_NAMES, QUOTA_RULES, type QuotaRule } from "../../src/quotas/quota-fields.ts";
import { QuotaLedger, type Reservation } from "../../src/quotas/quota-ledger.ts";
import type { QuotaRefusal } from "../../src/quotas/quota-refusal.ts";
import { windowStart } from "../../src/quotas/windows.ts";

const NOON = Date.parse("2026-11-30T12:00:30Z");
const CALL: Amounts = { requests: 1, canceledCalls: 1, inputTokens: 100, outputTokens: 1000, costNanos: 500 };

let nowMs = NOON;
let ledger = new QuotaLedger(() => nowMs);

beforeEach(() => {
  nowMs = NOON;
  ledger = new QuotaLedger(() => nowMs);
});

function reserve(quota: Quota, call: Partial<Amounts> = {}, subject = "key:a"): Reservation | QuotaRefusal {
  return atOnce(ledger.reserve([{ kind: "key", subject, quota }], { ...CALL, ...call }));
}

function atOnce<T extends object>(found: T | Promise<T>): T {
  if (found instanceof Promise) throw new Error("nobody shares the limits, and yet it waits");
  return found;
}

function reserved(...asked: Parameters<typeof reserve>): Reservation {
  const found = reserve(...asked);
  if ("rule" in found) throw new Error(`refused by ${found.rule}`);
  return found;
}

describe("QuotaLedger", () => {
  it.each([
    ["requestsPerMinute", 1, "2026-11-30T12:01:00Z"],
    ["inputTokensPerMinute", 100, "2026-11-30T12:01:00Z"],
    ["outputTokensPerMinute", 1000, "2026-11-30T12:01:00Z"],
    ["costNanosPerDay", 500, "2026-12-01T00:00:00Z"],
    ["costNanosPerMonth", 500, "2026-12-01T00:00:00Z"],
  ] as const)("refuses a second call beyond %s until it renews", (rule, limit, renews) => {
    reserved({ [rule]: limit }).settle(CALL);
    const resetsAtMs = Date.parse(renews);
    expect(reserve({ [rule]: limit })).toEqual({
      kind: "key",
      subject: "key:a",
      rule,
      limit,
      used: limit,
      amount: limit,
      resetsAtMs,
      fits: true,
    });
    nowMs = resetsAtMs - 1;
    expect(reserve({ [rule]: limit })).toMatchObject({ rule });
    nowMs = resetsAtMs;
    reserved({ [rule]: limit });
  });

  it("finds the counters of a subject in whatever order its limits were first used", () => {
    const quota = { requestsPerMinute: 2, inputTokensPerMinute: 200, concurrentCalls: 2, costNanosTotal: 1000 };
    const owners = [{ kind: "key", subject: "key:a", quota }] as const;
    const taken = [{ costNanos: 500 }, { requests: 1 }, { inputTokens: 100 }, CALL] as const;
    for (const amounts of taken) expect(atOnce(ledger.reserve(owners, amounts))).not.toHaveProperty("rule");
    const used = { requestsPerMinute: 2, inputTokensPerMinute: 200, concurrentCalls: 2, costNanosTotal: 1000 };
    for (const rule of Object.keys(used) as (keyof typeof used)[]) expect(ledger.used("key:a", rule)).toBe(used[rule]);
    expect(ledger.tightest(owners).map(({ rule }) => rule)).toEqual(Object.keys(used));
  });

  it("never renews what is spent in all", () => {
    reserved({ costNanosTotal: 500 }).settle(CALL);
    nowMs = Date.parse("2046-01-01T00:00:00Z");
    expect(reserve({ costNanosTotal: 500 })).toMatchObject({ rule: "costNanosTotal", resetsAtMs: undefined });
  });

  it("counts calls in flight until they end, through any time", () => {
    const first = reserved({ concurrentCalls: 1 });
    nowMs += 86_400_000;
    expect(reserve({ concurrentCalls: 1 })).toMatchObject({ rule: "concurrentCalls", used: 1, resetsAtMs: undefined });
    first.settle(CALL);
    reserved({ concurrentCalls: 1 });
  });

  it("gives back what a call did not take, and counts what it took beyond", () => {
    reserved({ costNanosPerDay: 1000 }).settle({ ...CALL, costNanos: 200 });
    expect(ledger.used("key:a", "costNanosPerDay")).toBe(200);
    reserved({ costNanosPerDay: 1000 }).settle({ ...CALL, costNanos: 900 });
    expect(ledger.used("key:a", "costNanosPerDay")).toBe(1100);
  });

  it("gives everything back where a call took nothing", () => {
    const quota = Object.fromEntries(QUOTA_RULE_NAMES.map((rule) => [rule, 10_000]));
    reserved(quota).release();
    expect(QUOTA_RULE_NAMES.map((rule) => ledger.used("key:a", rule))).toEqual(QUOTA_RULE_NAMES.map(() => 0));
  });

  it("ends a reservation once", () => {
    const call = reserved({ concurrentCalls: 5, costNanosTotal: 5000 });
    call.settle({ ...CALL, costNanos: 300 });
    call.release();
    call.settle(CALL);
    expect(ledger.used("key:a", "costNanosTotal")).toBe(300);
    expect(ledger.used("key:a", "concurrentCalls")).toBe(0);
  });

  it("gives nothing back to a later window, and counts there what was taken beyond", () => {
    const less = reserved({ costNanosPerDay: 1000 });
    const more = reserved({ costNanosPerDay: 1000 });
    nowMs += 86_400_000;
    less.settle({ ...CALL, costNanos: 100 });
    expect(ledger.used("key:a", "costNanosPerDay")).toBe(0);
    more.settle({ ...CALL, costNanos: 700 });
    expect(ledger.used("key:a", "costNanosPerDay")).toBe(200);
  });

  it("takes room in every quota or in none", () => {
    const quotas: SubjectQuota[] = [
      { kind: "key", subject: "key:a", quota: { costNanosTotal: 9999 } },
      { kind: "project", subject: "project:p", quota: { costNanosTotal: 499 } },
    ];
    expect(ledger.reserve(quotas, CALL)).toMatchObject({ subject: "project:p", fits: false });
    expect(ledger.used("key:a", "costNanosTotal")).toBe(0);
  });

  it("tells of the refusal that lasts longest", () => {
    const quota = { concurrentCalls: 1, costNanosPerDay: 500, requestsPerMinute: 1 };
    reserved(quota);
    expect(reserve(quota)).toMatchObject({ rule: "costNanosPerDay" });
    expect(reserve({ ...quota, costNanosTotal: 400 })).toMatchObject({ rule: "costNanosTotal" });
    expect(reserve({ ...quota, inputTokensPerMinute: 99 })).toMatchObject({
      rule: "inputTokensPerMinute",
      fits: false,
    });
  });

  it("follows a limit that changes, and keeps what was used", () => {
    reserved({ requestsPerMinute: 1 }).settle(CALL);
    reserved({ requestsPerMinute: 2 }).settle(CALL);
    expect(reserve({ requestsPerMinute: 1 })).toMatchObject({ used: 2, limit: 1 });
  });

  it("renews nothing where a clock goes back", () => {
    reserved({ costNanosPerDay: 500 }).settle(CALL);
    nowMs -= 86_400_000;
    expect(reserve({ costNanosPerDay: 500 })).toMatchObject({ rule: "costNanosPerDay", used: 500 });
  });

  it("forgets subjects of whom nothing counts, and none with a call in flight", () => {
    const call = reserved({ requestsPerMinute: 5 });
    reserved({ requestsPerMinute: 5 }, {}, "key:b").settle(CALL);
    reserved({ costNanosTotal: 5000 }, {}, "key:c").settle(CALL);
    nowMs += 60_000;
    ledger.sweep();
    expect(ledger.size).toBe(2);
    call.settle({ ...CALL, requests: 3 });
    expect(ledger.used("key:a", "requestsPerMinute")).toBe(2);
  });
});

/** A step of a history: time passes, a call begins, or the oldest call ends and takes a part of what it reserved. */
const step = fc.oneof(
  fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(1, 29_000, 60_000, 3_600_000, 86_400_000) }),
  fc.record({ kind: fc.constant("begin" as const), amount: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ kind: fc.constant("settle" as const), part: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant("release" as const) }),
);

/** A call as the model of the test has it. */
interface ModelCall {
  readonly call: Reservation;
  readonly entry: { readonly startMs: number; amount: number; isOpen: boolean };
}

describe("QuotaLedger, in any order of calls", () => {
  it.each(QUOTA_RULE_NAMES)("counts %s as the sum of its window's calls, never above the limit", (rule: QuotaRule) => {
    const { window, amount: kind } = QUOTA_RULES[rule];
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 100 }), (steps, limit) => {
        nowMs = NOON;
        ledger = new QuotaLedger(() => nowMs);
        const open: ModelCall[] = [];
        const entries: ModelCall["entry"][] = [];
        const sum = (): number =>
          entries
            .filter(
              ({ startMs, isOpen }) => startMs === windowStart(window, nowMs) && (window !== "inFlight" || isOpen),
            )
            .reduce((total, { amount }) => total + amount, 0);
        for (const taken of steps) {
          if (taken.kind === "wait") nowMs += taken.ms;
          else if (taken.kind === "begin") {
            const before = sum();
            const found = reserve({ [rule]: limit }, { [kind]: taken.amount });
            expect("rule" in found).toBe(before + taken.amount > limit);
            if ("rule" in found) continue;
            const entry = { startMs: windowStart(window, nowMs), amount: taken.amount, isOpen: true };
            entries.push(entry);
            open.push({ call: found, entry });
          } else {
            const ended = open.shift();
            if (ended === undefined) continue;
            const amount = taken.kind === "release" ? 0 : Math.floor(ended.entry.amount * taken.part);
            if (taken.kind === "release") ended.call.release();
            else ended.call.settle({ ...CALL, [kind]: amount });
            Object.assign(ended.entry, { amount, isOpen: false });
          }
          expect(ledger.used("key:a", rule)).toBe(sum());
          expect(sum()).toBeLessThanOrEqual(limit);
          if (taken.kind === "wait") ledger.sweep();
        }
      }),
    );
  });
});
