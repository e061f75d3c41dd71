import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Leaser } from "../../src/quotas/leaser.ts";
import { LEASE_MS, type QuotaLeases } from "../../src/quotas/leases.ts";
import type { SubjectQuota } from "../../src/quotas/quota.ts";
import { QuotaLedger, type Reservation } from "../../src/quotas/quota-ledger.ts";
import { FakeLeases } from "./fake-leases.ts";

const LIMIT = 2000;
const LIMITS: readonly SubjectQuota[] = [{ kind: "key", subject: "key:a", quota: { costNanosTotal: LIMIT } }];
const PROCESSES = 2;
const RUNS = 60;
/** The time that calls wait for the store. */
const TIMEOUT_MS = 5000;

const at = fc.nat(PROCESSES - 1);
const kind = <T extends string>(name: T) => ({ kind: fc.constant(name) });
/** Messages to the store, and its answers, arrive in whatever order steps have them. */
const steps = [
  {
    weight: 8,
    arbitrary: fc.record({ ...kind("calls"), at, amount: fc.integer({ min: 1, max: 20 }), count: fc.nat(9) }),
  },
  { weight: 10, arbitrary: fc.record({ ...kind("message"), place: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ ...kind("settle"), at, part: fc.double({ min: 0, max: 1, noNaN: true }) }) },
  { weight: 2, arbitrary: fc.record({ ...kind("tick"), at }) },
  { weight: 2, arbitrary: fc.record({ ...kind("renewal"), at }) },
  { weight: 1, arbitrary: fc.record({ ...kind("kill"), at }) },
  { weight: 1, arbitrary: fc.record({ ...kind("wait"), ms: fc.oneof(fc.nat(3000), fc.nat(60_000)) }) },
] as const;
/** A message does not reach the store; and none is answered for as long as calls wait. */
const failures = [
  { weight: 1, arbitrary: fc.record({ ...kind("loss"), place: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record(kind("silence")) },
] as const;
const historyOf = <T>(...step: fc.WeightedArbitrary<T>[]) =>
  fc.array(fc.oneof(...step), { minLength: 1, maxLength: 200, size: "max" });
type Step = (typeof steps | typeof failures)[number]["arbitrary"] extends fc.Arbitrary<infer One> ? One : never;

/** A message on its way to the store, or an answer. */
interface Message extends PromiseWithResolvers<void> {
  readonly isAnswer: boolean;
}

/** One process, with the calls that it has in flight. */
class Process {
  readonly name: string;
  readonly leases: QuotaLeases;
  readonly leaser: Leaser;
  readonly ledger: QuotaLedger;
  readonly open: { readonly held: Reservation; readonly amount: number }[] = [];
  isDead = false;
  spent = 0;
  /** Spent while the store did not answer. */
  untold = 0;

  constructor(leases: QuotaLeases, name: string, now: () => number) {
    this.name = name;
    const whileAlive = <T>(act: () => Promise<T>) => (this.isDead ? new Promise<never>(() => {}) : act());
    this.leases = {
      exchange: (requests) => whileAlive(() => leases.exchange(requests)),
      renew: () => whileAlive(() => leases.renew()),
    };
    this.leaser = new Leaser({ leases: this.leases, now, timeoutMs: TIMEOUT_MS });
    this.ledger = new QuotaLedger(now, { leaser: this.leaser, whenAway: () => "refuse" });
  }

  /** Returns whether there was room for a call; false where the process died before that was known. */
  async call(amount: number): Promise<boolean> {
    const found = this.ledger.reserve(LIMITS, { costNanos: amount });
    const held = found instanceof Promise ? await found : found;
    if (this.isDead || "rule" in held) return false;
    this.spent += amount;
    if (this.leaser.isAway) this.untold += amount;
    this.open.push({ held, amount });
    return true;
  }

  settle(part: number): void {
    const ended = this.open.shift();
    if (ended === undefined) return;
    const taken = Math.floor(ended.amount * part);
    ended.held.settle({ costNanos: taken });
    this.spent += taken - ended.amount;
  }
}

/** Processes on one store, whose messages stand still until they are let through. */
class World {
  readonly #messages: Message[] = [];
  readonly leases = new FakeLeases(() => this.nowMs, {
    reach: () => this.#send(false),
    answer: () => this.#send(true),
  });
  readonly living: Process[] = [];
  /** With those that have died. */
  readonly all: Process[] = [];
  nowMs = Date.parse("2026-11-30T12:00:00Z");

  constructor() {
    for (let place = 0; place < PROCESSES; place += 1) this.#start(place);
  }

  async take(step: Step): Promise<void> {
    const process = "at" in step ? this.process(step.at) : undefined;
    if (step.kind === "calls") for (let call = 0; call <= step.count; call += 1) void process?.call(step.amount);
    if (step.kind === "settle") process?.settle(step.part);
    if (step.kind === "wait") this.nowMs += step.ms;
    if (step.kind === "tick") {
      this.nowMs += 500;
      void process?.leaser.tick();
    }
    if (step.kind === "renewal") void process?.leases.renew().catch(() => {});
    if (step.kind === "kill" && process !== undefined) {
      process.isDead = true;
      this.#start(step.at);
    }
    if (step.kind === "message") this.#take(this.#messages, step.place)?.resolve();
    if (step.kind === "loss") {
      const requests = this.#messages.filter(({ isAnswer }) => !isAnswer);
      this.#take(requests, step.place)?.reject(new Error("the store is away"));
    }
    if (step.kind === "silence") {
      this.nowMs += TIMEOUT_MS;
      vi.advanceTimersByTime(TIMEOUT_MS);
    }
    await nextTurn();
  }

  /** Lets all messages through, and those that they lead to, until a piece of work is done. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const ended = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      for (const { resolve } of this.#messages.splice(0)) resolve();
      await nextTurn();
    }
    return await ended;
  }

  process(at: number): Process {
    const process = this.living[at];
    if (process === undefined) throw new Error(`there is no process ${at}`);
    return process;
  }

  #start(place: number): void {
    const name = `process ${this.all.length}`;
    const process = new Process(this.leases.of(name), name, () => this.nowMs);
    this.all.push(process);
    this.living[place] = process;
  }

  #send(isAnswer: boolean): Promise<void> {
    const message = { ...Promise.withResolvers<void>(), isAnswer };
    this.#messages.push(message);
    return message.promise;
  }

  #take(among: readonly Message[], place: number): Message | undefined {
    const message = among[place % among.length];
    if (message !== undefined) this.#messages.splice(this.#messages.indexOf(message), 1);
    return message;
  }
}

/** Has the leases of the dead end, and the living take whatever is left. */
async function exhaust(world: World): Promise<void> {
  for (const { leaser } of world.living) await world.until(leaser.tick());
  world.nowMs += LEASE_MS + 1000;
  for (const { leaser } of world.living) await world.until(leaser.tick());
  // Whoever was silent until now takes nothing back before it is heard for a second time.
  for (let time = 0; time < 2; time += 1) {
    for (const { leases } of world.living) await world.until(leases.renew());
  }
  for (const process of world.living) {
    for (const amount of [200, 50, 10, 1]) {
      // A limit that had no more is asked for again after a second.
      world.nowMs += 1000;
      while (await world.until(process.call(amount)));
    }
  }
}

describe("processes that share a limit, whatever the order of their messages", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] }));
  afterEach(() => void vi.useRealTimers());

  it("leave to the store what it needs for the calls of each, should that be killed", async () => {
    await fc.assert(
      fc.asyncProperty(historyOf<Step>(...steps), async (history) => {
        const world = new World();
        for (const step of history) {
          await world.take(step);
          for (const { name, spent } of world.all) {
            expect(spent, `by ${name}`).toBeLessThanOrEqual(world.leases.keptBy(name));
          }
        }
        await exhaust(world);
        const spent = world.all.reduce((sum, process) => sum + process.spent, 0);
        const kept = world.all.reduce(
          (sum, { isDead, name, spent }) => sum + (isDead ? world.leases.keptBy(name) : spent),
          0,
        );
        expect(spent).toBeLessThanOrEqual(LIMIT);
        expect(kept).toBe(LIMIT);
      }),
      { numRuns: RUNS },
    );
  });

  it("exceed it by no more than what they spent while the store was away", async () => {
    await fc.assert(
      fc.asyncProperty(historyOf<Step>(...steps, ...failures), async (history) => {
        const world = new World();
        for (const step of history) await world.take(step);
        await exhaust(world);
        const spent = world.all.reduce((sum, process) => sum + process.spent, 0);
        const untold = world.all.reduce((sum, process) => sum + process.untold, 0);
        expect(spent).toBeLessThanOrEqual(LIMIT + untold);
      }),
      { numRuns: RUNS },
    );
  });

  it("leave to the store what one takes that dies after a first call", async () => {
    const world = new World();
    const process = world.process(0);
    for (let call = 0; call < 20; call += 1) await world.until(process.call(10));
    for (let second = 0; second < 3; second += 1) await world.until(process.leaser.tick());
    await world.until(process.call(10));
    await world.take({ kind: "kill", at: 0 });
    await world.take({ kind: "loss", place: 0 });
    await exhaust(world);
    expect(world.all.reduce((sum, { spent }) => sum + spent, 0)).toBeLessThanOrEqual(LIMIT);
  });
});

describe("Leaser, of which a store hears", () => {
  /** Starts a process whose store answers once `reach` has; returns the number of messages under way, and the most. */
  function start(reach: () => Promise<void>, timeoutMs: number) {
    const messages = { now: 0, most: 0 };
    const leases = new FakeLeases(() => 0, {
      async reach() {
        messages.now += 1;
        messages.most = Math.max(messages.most, messages.now);
        await reach();
      },
      async answer() {
        messages.now -= 1;
      },
    });
    const leaser = new Leaser({ leases: leases.of("process"), now: () => 0, timeoutMs });
    return { messages, leaser, ledger: new QuotaLedger(() => 0, { leaser }) };
  }

  it("one message at a time, calls and seconds together", async () => {
    const { messages, leaser, ledger } = start(() => nextTurn(), TIMEOUT_MS);
    const reserved: unknown[] = [];
    for (let turn = 0; turn < 50; turn += 1) {
      if (turn % 5 === 0) void leaser.tick();
      reserved.push(ledger.reserve(LIMITS, { costNanos: turn + 1 }));
      await nextTurn();
    }
    await Promise.all(reserved);
    await leaser.close();
    expect(messages).toEqual({ now: 0, most: 1 });
  });

  it("nothing more before it has answered what it answers late", async () => {
    const slow = Promise.withResolvers<void>();
    const { messages, leaser, ledger } = start(() => slow.promise, 1);
    await ledger.reserve(LIMITS, { costNanos: 10 });
    for (let second = 0; second < 3; second += 1) await leaser.tick();
    expect(leaser.isAway).toBe(true);
    expect(messages).toEqual({ now: 1, most: 1 });
    slow.resolve();
    await expect.poll(() => messages.now).toBe(0);
    await leaser.tick();
    expect(leaser.isAway).toBe(false);
    expect(messages.most).toBe(1);
    await leaser.close();
  });
});
