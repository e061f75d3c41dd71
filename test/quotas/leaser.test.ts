import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Leaser } from "../../src/quotas/leaser.ts";
import type { SubjectQuota } from "../../src/quotas/quota.ts";
import { QuotaLedger, type Reservation, type WhenAway } from "../../src/quotas/quota-ledger.ts";
import type { QuotaRefusal } from "../../src/quotas/quota-refusal.ts";
import { FakeLeases } from "./fake-leases.ts";

const NOON = Date.parse("2026-11-30T12:00:00Z");

/** One process that shares limits with others. */
interface Process {
  readonly ledger: QuotaLedger;
  readonly leaser: Leaser;
}

let nowMs = NOON;
const now = (): number => nowMs;
let leases = new FakeLeases(now);
let processes: Process[] = [];

beforeEach(() => {
  nowMs = NOON;
  leases = new FakeLeases(now);
});
afterEach(async () => {
  leases.isAway = false;
  for (const { leaser } of processes) await leaser.close();
  processes = [];
});

function start(whenAway: WhenAway = "serve"): Process {
  const leaser = new Leaser({ leases: leases.of(`process ${processes.length}`), now, timeoutMs: 5000 });
  const process = { ledger: new QuotaLedger(now, { leaser, whenAway: () => whenAway }), leaser };
  processes.push(process);
  return process;
}

function quota(limits: SubjectQuota["quota"]): SubjectQuota[] {
  return [{ kind: "key", subject: "key:a", quota: limits }];
}

function isRefused(found: Reservation | QuotaRefusal): found is QuotaRefusal {
  return "rule" in found;
}

describe("Leaser", () => {
  it("lets one process use the whole of a limit, and no more", async () => {
    const { ledger } = start();
    const found = await Promise.all(
      Array.from({ length: 30 }, () => ledger.reserve(quota({ requestsPerMinute: 20 }), { requests: 1 })),
    );
    expect(found.filter(isRefused)).toHaveLength(10);
    expect(found.find(isRefused)).toMatchObject({ rule: "requestsPerMinute", limit: 20, used: 20 });
  });

  it("asks the store no more once a limit is reached", async () => {
    const { ledger } = start();
    await ledger.reserve(quota({ requestsPerMinute: 1 }), { requests: 1 });
    await ledger.reserve(quota({ requestsPerMinute: 1 }), { requests: 1 });
    const { exchanges } = leases;
    for (let call = 0; call < 100; call += 1) {
      expect(await ledger.reserve(quota({ requestsPerMinute: 1 }), { requests: 1 })).toMatchObject({ used: 1 });
    }
    expect(leases.exchanges).toBe(exchanges);
  });

  it("leases ahead, so that most calls wait for nothing", async () => {
    const { ledger, leaser } = start();
    const limits = quota({ requestsPerMinute: 100_000 });
    let waited = 0;
    for (let call = 0; call < 1000; call += 1) {
      const found = ledger.reserve(limits, { requests: 1 });
      if (found instanceof Promise) waited += 1;
      await found;
      if (call % 100 === 99) await leaser.tick();
    }
    expect(waited).toBeLessThan(20);
  });

  it("gives back what it does not use, so that others may have it", async () => {
    const [one, other] = [start(), start()];
    const limits = quota({ costNanosPerDay: 1000 });
    const held = await one.ledger.reserve(limits, { costNanos: 900 });
    expect(await other.ledger.reserve(limits, { costNanos: 500 })).toMatchObject({
      fits: true,
      rule: "costNanosPerDay",
    });
    if (!isRefused(held)) held.settle({ costNanos: 100 });
    // What was taken in the last two seconds is kept at hand.
    for (let second = 0; second < 4; second += 1) await one.leaser.tick();
    nowMs += 2000;
    expect(isRefused(await other.ledger.reserve(limits, { costNanos: 500 }))).toBe(false);
  });

  it("serves whoever asks in the moment when an exchange ends", async () => {
    const { ledger } = start();
    const callAgain = async (caller: number): Promise<void> => {
      for (let call = 0; call < 50; call += 1) {
        const subject = `key:${caller}-${call}`;
        await ledger.reserve([{ kind: "key", subject, quota: { requestsPerMinute: 9 } }], { requests: 1 });
      }
    };
    await Promise.all([0, 1, 2].map(callAgain));
    expect(ledger.size).toBe(150);
  });

  it("tells the others what it took beyond what it had leased", async () => {
    const [one, other] = [start(), start()];
    const limits = quota({ costNanosTotal: 1000 });
    const held = await one.ledger.reserve(limits, { costNanos: 100 });
    if (!isRefused(held)) held.settle({ costNanos: 990 });
    await one.leaser.tick();
    expect(await other.ledger.reserve(limits, { costNanos: 11 })).toMatchObject({ used: 990, fits: true });
  });

  it("has the next window at hand before it begins", async () => {
    const { ledger, leaser } = start();
    const limits = quota({ requestsPerMinute: 1000 });
    for (let call = 0; call < 10; call += 1) await ledger.reserve(limits, { requests: 1 });
    nowMs = NOON + 59_000;
    await leaser.tick();
    nowMs = NOON + 60_000;
    expect(ledger.reserve(limits, { requests: 1 })).not.toBeInstanceOf(Promise);
  });

  it("serves beyond its lease while the store is away, and tells it later", async () => {
    const { ledger, leaser } = start("serve");
    const limits = quota({ costNanosPerDay: 1000 });
    leases.isAway = true;
    for (let call = 0; call < 10; call += 1) {
      const held = await ledger.reserve(limits, { costNanos: 100 });
      expect(isRefused(held)).toBe(false);
      if (!isRefused(held)) held.settle({ costNanos: 100 });
    }
    expect(await ledger.reserve(limits, { costNanos: 1 })).toMatchObject({ used: 1000 });
    leases.isAway = false;
    await leaser.tick();
    await leaser.tick();
    expect([...leases.leased.values()]).toEqual([1000]);
  });

  it("refuses what it has not leased while the store is away, where that was chosen", async () => {
    const { ledger } = start("refuse");
    leases.isAway = true;
    const found = await ledger.reserve(quota({ costNanosPerDay: 1000 }), { costNanos: 100 });
    expect(found).toMatchObject({ isUnknown: true });
  });

  it("never lets processes together take more than a limit, but what calls take beyond their reservations", async () => {
    const call = fc.record({
      process: fc.nat(2),
      reserved: fc.integer({ min: 1, max: 40 }),
      taken: fc.integer({ min: 0, max: 60 }),
      isLong: fc.boolean(),
      ticks: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 40 }), async (calls) => {
        leases = new FakeLeases(now);
        const own = [start(), start(), start()];
        const limits = quota({ costNanosTotal: 300 });
        let [spent, beyond] = [0, 0];
        const end = (held: Reservation, { reserved, taken }: (typeof calls)[number]): void => {
          held.settle({ costNanos: taken });
          spent += taken;
          beyond += Math.max(0, taken - reserved);
        };
        const open = calls.map(async (one) => {
          const { ledger, leaser } = own[one.process] ?? start();
          const held = await ledger.reserve(limits, { costNanos: one.reserved });
          if (one.ticks) await leaser.tick();
          if (isRefused(held)) return;
          if (one.isLong) await leaser.tick();
          end(held, one);
        });
        await Promise.all(open);
        expect(spent).toBeLessThanOrEqual(300 + beyond);
        for (const { leaser } of own) await leaser.close();
        expect([...leases.leased.values()]).toEqual([spent]);
      }),
      { numRuns: 60 },
    );
  });

  it("has what a process that died had not spent again, and counts what it had spent or reserved", async () => {
    const [dead, living] = [start(), start()];
    const limits = quota({ costNanosTotal: 1000 });
    const held = await dead.ledger.reserve(limits, { costNanos: 100 });
    if (!isRefused(held)) held.settle({ costNanos: 60 });
    await dead.ledger.reserve(limits, { costNanos: 40 });
    for (let second = 0; second < 3; second += 1) await dead.leaser.tick();
    expect(leases.leased.values().next().value).toBeGreaterThan(100);
    await living.ledger.reserve(limits, { costNanos: 1 });
    nowMs += 46_000;
    for (let second = 0; second < 11; second += 1) await living.leaser.tick();
    expect(await living.ledger.reserve(limits, { costNanos: 899 })).toSatisfy((found) => !isRefused(found));
    expect(await living.ledger.reserve(limits, { costNanos: 1 })).toMatchObject({ used: 1000 });
  });

  it("has the store told before it spends what others get should it die, but for one call after quiet seconds", async () => {
    const { ledger, leaser } = start();
    const limits = quota({ costNanosTotal: 1000 });
    const reserve = () => ledger.reserve(limits, { costNanos: 10 });
    for (let call = 0; call < 20; call += 1) await reserve();
    for (let second = 0; second < 3; second += 1) await leaser.tick();
    expect(reserve()).not.toBeInstanceOf(Promise);
    const second = reserve();
    expect(second).toBeInstanceOf(Promise);
    expect(isRefused(await second)).toBe(false);
  });

  it("does not use what was taken back from it while it was stopped", async () => {
    const [stopped, living] = [start(), start()];
    const limits = quota({ costNanosTotal: 1000 });
    const early = await stopped.ledger.reserve(limits, { costNanos: 100 });
    for (let second = 0; second < 3; second += 1) await stopped.leaser.tick();
    nowMs += 120_000;
    for (let second = 0; second < 11; second += 1) await living.leaser.tick();
    expect(isRefused(await living.ledger.reserve(limits, { costNanos: 900 }))).toBe(false);
    // What it had at hand is gone, and what its call has reserved is not.
    expect(await stopped.ledger.reserve(limits, { costNanos: 1 })).toMatchObject({ used: 1000 });
    if (!isRefused(early)) early.settle({ costNanos: 150 });
    await stopped.leaser.tick();
    expect([...leases.leased.values()]).toEqual([1050]);
  });

  it("uses no lease that it was stopped with before the store has told what is left of it", async () => {
    const [stopped, living] = [start(), start()];
    const two = ["key:a", "key:b"].map((subject): SubjectQuota[] => [
      { kind: "key", subject, quota: { costNanosTotal: 1000 } },
    ]);
    for (const limits of two) await stopped.ledger.reserve(limits, { costNanos: 10 });
    for (const limits of two) await stopped.ledger.reserve(limits, { costNanos: 10 });
    for (let second = 0; second < 3; second += 1) await stopped.leaser.tick();
    nowMs += 120_000;
    for (let second = 0; second < 11; second += 1) await living.leaser.tick();
    for (const limits of two) await living.ledger.reserve(limits, { costNanos: 980 });
    for (const limits of two) {
      expect(await stopped.ledger.reserve(limits, { costNanos: 1 })).toMatchObject({ used: 1000 });
    }
  });

  it("goes on with its lease where nobody has taken it back", async () => {
    const { ledger, leaser } = start();
    const limits = quota({ costNanosTotal: 1000 });
    for (let call = 0; call < 4; call += 1) await ledger.reserve(limits, { costNanos: 10 });
    nowMs += 120_000;
    await leaser.tick();
    for (let call = 0; call < 96; call += 1) {
      expect(isRefused(await ledger.reserve(limits, { costNanos: 10 }))).toBe(false);
    }
    expect([...leases.leased.values()]).toEqual([1000]);
  });

  it("never exceeds a limit by more than what processes that died began since their last exchange", async () => {
    const step = fc.oneof(
      fc.record({
        ...{ kind: fc.constant("call" as const), process: fc.nat(2), subject: fc.nat(1) },
        costNanos: fc.integer({ min: 1, max: 40 }),
      }),
      fc.record({ kind: fc.constant("tick" as const), process: fc.nat(2) }),
      fc.record({
        kind: fc.constant("stop" as const),
        process: fc.nat(2),
        forMs: fc.integer({ min: 0, max: 150_000 }),
      }),
      fc.record({ kind: fc.constant("kill" as const), process: fc.nat(2) }),
      fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 30_000 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
        leases = new FakeLeases(now);
        const begin = () => ({ ...start(), sinceExchange: [0, 0], asleepUntilMs: 0 });
        const own = [begin(), begin(), begin()];
        const [spent, lostSight] = [
          [0, 0],
          [0, 0],
        ];
        const add = (sums: number[], at: number, amount: number) => {
          sums[at] = (sums[at] ?? 0) + amount;
        };
        for (const one of steps) {
          const process = "process" in one ? own[one.process] : undefined;
          if (one.kind === "wait") nowMs += one.ms;
          else if (process === undefined || process.asleepUntilMs > nowMs) continue;
          else if (one.kind === "stop") process.asleepUntilMs = nowMs + one.forMs;
          else if (one.kind === "call") {
            const { subject, costNanos } = one;
            const limits = [{ kind: "key", subject: `key:${subject}`, quota: { costNanosTotal: 300 } }] as const;
            const found = process.ledger.reserve(limits, { costNanos });
            if (found instanceof Promise) process.sinceExchange[subject] = 0;
            const held = await found;
            if (isRefused(held)) continue;
            held.settle({ costNanos });
            add(spent, subject, costNanos);
            add(process.sinceExchange, subject, costNanos);
          } else if (one.kind === "tick") {
            nowMs += 1000;
            await process.leaser.tick();
            process.sinceExchange = [0, 0];
          } else {
            // Another one begins in its place, and a minute later what it had is taken back.
            for (const [subject, amount] of process.sinceExchange.entries()) add(lostSight, subject, amount);
            process.asleepUntilMs = Number.POSITIVE_INFINITY;
            own[one.process] = begin();
          }
        }
        for (const [subject, amount] of spent.entries()) {
          expect(amount).toBeLessThanOrEqual(300 + (lostSight[subject] ?? 0));
        }
      }),
      { numRuns: 150 },
    );
  });
});
