import { setImmediate as nextTurn } from "node:timers/promises";
import type { Counter } from "./counter.ts";
import { LEASE_MS, type LeaseRequest, type QuotaLeases } from "./leases.ts";
import type { WatchQuota } from "./quota-watch.ts";

/** The ports of a leaser. */
interface LeaserPorts {
  readonly leases: QuotaLeases;
  /** Milliseconds since 1970, on a clock that nobody sets. */
  readonly now: () => number;
  /** Hears that the store did not answer; told once for each time that it is away. */
  readonly onAway?: (error: unknown) => void;
  /** Looks at each counter in use, every second. */
  readonly watch?: WatchQuota;
  /** Most milliseconds that a call waits for the store. */
  readonly timeoutMs?: number;
}

/** The request of a counter in one exchange with the store. */
interface CounterRequest {
  readonly counter: Counter;
  readonly request: LeaseRequest;
}

/** Requests of one exchange. */
const MOST = 500;
/** A database that is only slow must not be taken for one that is away: calls are served without a lease then. */
const TIMEOUT_MS = 5000;
const TICK_MS = 1000;
/** Ticks between two signs of life. */
const RENEWAL_TICKS = 10;
/** A lease is used no more so long before others may take it back. */
const MARGIN_MS = 5000;

/**
 * Leases shares of limits for counters: ahead in the background, so that calls find them leased, and for calls that do
 * not. One exchange with the store is under way at a time, and takes what all calls wait for: of two, the earlier might
 * reach the store last, which would then know more as free than is.
 */
export class Leaser {
  readonly #ports: LeaserPorts;
  readonly #timer: NodeJS.Timeout;
  /** The amounts that calls wait for. */
  readonly #needs = new Map<Counter, number>();
  /** Counters that were used since nothing of them was leased. */
  readonly #active: Counter[] = [];
  /** The calls that wait for the next exchange. */
  #batch: PromiseWithResolvers<void> | undefined;
  /** The tick that is to come, or under way. */
  #due: PromiseWithResolvers<void> | undefined;
  #running: Promise<void> | undefined;
  /** The words with the store that have not ended, however late they are. */
  #underWay: Promise<void> | undefined;
  #isAway = false;
  #ticks = 0;
  /** When the latest sign of life began that the store has heard. */
  #renewedMs = Number.NEGATIVE_INFINITY;

  constructor(ports: LeaserPorts) {
    this.#ports = ports;
    this.#timer = setInterval(() => void this.tick(), TICK_MS);
    this.#timer.unref();
  }

  /** True while the store does not answer. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /**
   * Returns how much has to be leased before an amount may be held; 0 or less where it may be held at once. A process
   * that was stopped for a while has to ask, since others may have what it had leased.
   */
  lack(counter: Counter, amount: number, nowMs: number): number {
    const lack = counter.lack(amount, nowMs);
    return this.isLapsed(nowMs) ? Math.max(amount, lack) : lack;
  }

  /** Returns whether the store has to hear of an amount before it is held; while it is away, it hears of it later. */
  hasToTell(counter: Counter, amount: number, nowMs: number): boolean {
    return !this.#isAway && counter.isUntold(amount, nowMs);
  }

  /** A counter was used: its share may have to grow, and is given back when it is used no more. */
  used(counter: Counter, nowMs: number): void {
    this.#activate(counter);
    if (this.#isAway || !(counter.isLow(nowMs) || counter.isNearlyUntold(nowMs))) return;
    if (!this.#needs.has(counter)) void this.lease(counter, 0);
  }

  /** Leases what an amount needs. Resolves when the store has answered, or does not; never rejects. */
  lease(counter: Counter, amount: number): Promise<void> {
    this.#activate(counter);
    this.#needs.set(counter, (this.#needs.get(counter) ?? 0) + amount);
    this.#batch ??= Promise.withResolvers();
    this.#running ??= this.#run();
    return this.#batch.promise;
  }

  /** A second is over: gives back what is not used, tells what is owed, and leases of windows that begin soon. */
  tick(): Promise<void> {
    this.#due ??= Promise.withResolvers();
    this.#running ??= this.#run();
    return this.#due.promise;
  }

  /** Gives back everything that is not used. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
    if (this.#underWay !== undefined && !(await this.#tell(this.#underWay))) return;
    const now = this.#ports.now();
    const requests = this.#active.map((counter) => ({ counter, request: counter.toSettle(now, 0) }));
    await this.#exchangeAll(requests.filter((each): each is CounterRequest => each.request !== undefined));
  }

  #activate(counter: Counter): void {
    if (counter.isActive) return;
    counter.isActive = true;
    this.#active.push(counter);
  }

  async #run(): Promise<void> {
    // Those that ask in the same turn go into the same exchange.
    await Promise.resolve();
    while (this.#due !== undefined || this.#batch !== undefined) {
      // Until a late answer has come nobody knows what is leased.
      if (this.#underWay !== undefined) await this.#tell(this.#underWay);
      if (this.#batch !== undefined) await this.#takeBatch(this.#batch);
      if (this.#due !== undefined) await this.#takeTick(this.#due);
    }
    // At once: whoever asks from here on has to find that nothing runs.
    this.#running = undefined;
  }

  async #takeTick({ resolve }: PromiseWithResolvers<void>): Promise<void> {
    await this.#exchangeAll(this.#settleAll(this.#ports.now()));
    this.#ticks += 1;
    const isDue = this.#isAway || this.#ticks % RENEWAL_TICKS === 0;
    if (isDue && this.#underWay === undefined) await this.#tell(this.#renew());
    this.#due = undefined;
    resolve();
  }

  #settleAll(now: number): CounterRequest[] {
    const questions: CounterRequest[] = [];
    let kept = 0;
    for (const counter of this.#active) {
      const all = this.#underWay === undefined ? [counter.toSettle(now), counter.toEnterNext(now)] : [];
      const requests = all.filter((request) => request !== undefined);
      for (const request of requests) questions.push({ counter, request });
      counter.tick();
      this.#ports.watch?.(counter, now);
      counter.isActive = requests.length > 0 || this.#needs.has(counter) || !counter.isIdle(now);
      if (!counter.isActive) continue;
      this.#active[kept] = counter;
      kept += 1;
    }
    this.#active.length = kept;
    return questions;
  }

  async #takeBatch({ resolve }: PromiseWithResolvers<void>): Promise<void> {
    this.#batch = undefined;
    const now = this.#ports.now();
    const questions = [...this.#needs].flatMap(([counter, amount]): CounterRequest[] => {
      if (this.#underWay !== undefined) return [];
      const lack = amount === 0 ? 0 : this.lack(counter, amount, now);
      const hasNews = counter.hasNews(now, amount);
      const request = counter.toLease(lack, now, amount);
      return hasNews || request.owed + request.wanted > 0 ? [{ counter, request }] : [];
    });
    this.#needs.clear();
    await this.#exchangeAll(questions);
    resolve();
    // What is told next counts what those who waited take now.
    await nextTurn();
  }

  async #exchangeAll(questions: readonly CounterRequest[]): Promise<void> {
    let isHeard = true;
    for (let start = 0; start < questions.length; start += MOST) {
      const some = questions.slice(start, start + MOST);
      if (isHeard) isHeard = await this.#tell(this.#exchange(some));
      else for (const { counter, request } of some) counter.restore(request);
    }
  }

  async #exchange(questions: readonly CounterRequest[]): Promise<void> {
    for (const { counter } of questions) counter.retain();
    try {
      if (this.isLapsed(this.#ports.now())) await this.#renew();
      const grants = await this.#ports.leases.exchange(questions.map(({ request }) => request));
      const now = this.#ports.now();
      for (const [index, { counter, request }] of questions.entries()) {
        const grant = grants[index];
        if (grant !== undefined) counter.take(request, grant, now);
        counter.resume();
      }
    } catch (error) {
      for (const { counter, request } of questions) counter.restore(request);
      throw error;
    } finally {
      for (const { counter } of questions) counter.release();
    }
  }

  /** Tells that this process lives; where it was silent for too long, nothing it has leased may be used as it is. */
  async #renew(): Promise<void> {
    const begunMs = this.#ports.now();
    await this.#ports.leases.renew();
    if (this.#ports.now() - this.#renewedMs >= LEASE_MS) for (const counter of this.#active) counter.suspend();
    this.#renewedMs = begunMs;
  }

  /** Returns whether this process was silent for so long that others may have taken back what it had leased. */
  isLapsed(nowMs: number): boolean {
    return nowMs - this.#renewedMs > LEASE_MS - MARGIN_MS;
  }

  /** Waits for words with the store to end, for as long as calls may wait; returns whether they ended well by then. */
  async #tell(words: Promise<void>): Promise<boolean> {
    const { timeoutMs = TIMEOUT_MS, onAway } = this.#ports;
    const ended = () => {
      if (this.#underWay === words) this.#underWay = undefined;
    };
    this.#underWay = words;
    words.then(ended, ended);
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    try {
      await Promise.race([words, late.promise]);
      this.#isAway = false;
      return true;
    } catch (error) {
      if (!this.#isAway) onAway?.(error);
      this.#isAway = true;
      return false;
    } finally {
      clearTimeout(timer);
    }
  }
}
