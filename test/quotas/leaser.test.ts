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

/** Has a process take STEADY nano-USD as a steady user does, so that it has more at hand than it may take untold. */
async function useSteadily({ ledger, leaser }: Process, limits: readonly SubjectQuota[]): Promise<void> {
  for (let call = 0; call < 12; call += 1) {
    await ledger.reserve(limits, { costNanos: 10 });
    if (call % 5 === 4) await leaser.tick();
  }
  await leaser.tick();
}

const STEADY = 120;

/** Has a process take whatever is left, and returns how much that was. */
async function exhaust({ ledger }: Process, limits: readonly SubjectQuota[]): Promise<number> {
  for (let taken = 0; ; taken += 1) if (isRefused(await ledger.reserve(limits, { costNanos: 1 }))) return taken;
}

/** Has a process be heard of twice, which it has to be before it takes back what dead ones have not spent. */
async function outlive({ leaser }: Process): Promise<void> {
  for (let second = 0; second < 21; second += 1) await leaser.tick();
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

  it.each([1, 2, 3])("refuses nobody while there is room, whoever takes what a call waits for: %d", async (seed) => {
    const all = [start(), start()];
    const limits = quota({ costNanosTotal: 1e12 });
    let state = seed * 7919;
    const below = (most: number): number => {
      state = (state * 1103515245 + 12345) % 0x80000000;
      return Math.floor((state / 0x80000000) * most);
    };
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const refusals: QuotaRefusal[] = [];
    const call = async ({ ledger }: Process): Promise<void> => {
      // One in ten is large, and the small ones find something while it waits.
      const costNanos = 1 + below(below(10) === 0 ? 3e8 : 1e6);
      const found = await ledger.reserve(limits, { costNanos });
      if (isRefused(found)) {
        refusals.push(found);
        return;
      }
      for (let turns = below(20); turns > 0; turns -= 1) await turn();
      found.settle({ costNanos: below(costNanos) });
    };
    const calls: Promise<void>[] = [];
    for (let turns = 0; turns < 200; turns += 1) {
      for (const process of all) for (let more = below(24); more > 0; more -= 1) calls.push(call(process));
      if (turns % 60 === 0) for (const { leaser } of all) void leaser.tick();
      nowMs += below(30);
      await turn();
    }
    await Promise.all(calls);
    expect(refusals).toEqual([]);
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
    // With what it has leased ahead of what is left.
    expect(await other.ledger.reserve(limits, { costNanos: 11 })).toMatchObject({ used: 992, fits: true });
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
    await outlive(living);
    // What two more calls might have taken untold is counted as well.
    expect(await living.ledger.reserve(limits, { costNanos: 819 })).toSatisfy((found) => !isRefused(found));
    expect(await living.ledger.reserve(limits, { costNanos: 1 })).toMatchObject({ used: 1000 });
  });

  it("has the store told before it spends what others get should it die", async () => {
    const { ledger, leaser } = start();
    const limits = quota({ costNanosTotal: 1000 });
    const reserve = () => ledger.reserve(limits, { costNanos: 10 });
    for (let call = 0; call < 20; call += 1) await reserve();
    for (let second = 0; second < 3; second += 1) await leaser.tick();
    // Two calls may be taken untold after quiet seconds.
    for (let call = 0; call < 2; call += 1) expect(reserve()).not.toBeInstanceOf(Promise);
    const third = reserve();
    expect(third).toBeInstanceOf(Promise);
    expect(isRefused(await third)).toBe(false);
  });

  it("does not use what was taken back from it while it was stopped", async () => {
    const [stopped, living] = [start(), start()];
    const limits = quota({ costNanosTotal: 1000 });
    const early = await stopped.ledger.reserve(limits, { costNanos: 100 });
    await useSteadily(stopped, limits);
    nowMs += 120_000;
    await outlive(living);
    const taken = await exhaust(living, limits);
    expect(taken).toBeGreaterThan(700);
    // What others have now is gone for it, and what its call has reserved is not.
    expect((await exhaust(stopped, limits)) + taken + 100 + STEADY).toBe(1000);
    if (!isRefused(early)) early.settle({ costNanos: 150 });
    await stopped.leaser.tick();
    expect([...leases.leased.values()]).toEqual([1050]);
  });

  it("uses no lease that it was stopped with before the store has told what is left of it", async () => {
    const [stopped, living] = [start(), start()];
    const two = ["key:a", "key:b"].map((subject): SubjectQuota[] => [
      { kind: "key", subject, quota: { costNanosTotal: 1000 } },
    ]);
    for (const limits of two) await useSteadily(stopped, limits);
    nowMs += 120_000;
    await outlive(living);
    for (const limits of two) {
      const taken = await exhaust(living, limits);
      expect((await exhaust(stopped, limits)) + taken + STEADY).toBe(1000);
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
});
