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
interface Asked {
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
 * not. One exchange with the store is under way at a time, and takes what all calls wait for.
 */
export class Leaser {
  readonly #ports: LeaserPorts;
  readonly #timer: NodeJS.Timeout;
  /** The amounts that calls wait for. */
  readonly #needs = new Map<Counter, number>();
  /** Counters that were used since nothing of them was leased. */
  readonly #active: Counter[] = [];
  #batch: PromiseWithResolvers<void> | undefined;
  #running: Promise<void> | undefined;
  #ticking: Promise<void> | undefined;
  #isAway = false;
  #ticks = 0;
  /** When the latest sign of life began that the store has heard. */
  #renewedMs = Number.NEGATIVE_INFINITY;
  /** Grows when the leases may have been taken back: what the store has told before is not to be relied on. */
  #lapses = 0;

  constructor(ports: LeaserPorts) {
    this.#ports = ports;
    this.#timer = setInterval(() => {
      this.#ticking ??= this.tick().finally(() => {
        this.#ticking = undefined;
      });
    }, TICK_MS);
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
    const { promise } = this.#batch;
    this.#running ??= this.#run();
    return promise;
  }

  /** A second is over: gives back what is not used, tells what is owed, and leases of windows that begin soon. */
  async tick(): Promise<void> {
    await this.#running;
    const now = this.#ports.now();
    const asked: Asked[] = [];
    let kept = 0;
    for (const counter of this.#active) {
      const requests = [counter.toSettle(now), counter.toEnterNext(now)].filter((request) => request !== undefined);
      for (const request of requests) asked.push({ counter, request });
      counter.tick();
      this.#ports.watch?.(counter, now);
      counter.isActive = requests.length > 0 || this.#running !== undefined || !counter.isIdle(now);
      if (!counter.isActive) continue;
      this.#active[kept] = counter;
      kept += 1;
    }
    this.#active.length = kept;
    await this.#exchangeAll(asked);
    this.#ticks += 1;
    if (this.#isAway || this.#ticks % RENEWAL_TICKS === 0) await this.#tell(() => this.#renew());
  }

  /** Gives back everything that is not used. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#ticking;
    await this.#running;
    const now = this.#ports.now();
    const requests = [...this.#active].map((counter) => ({ counter, request: counter.toSettle(now, 0) }));
    await this.#exchangeAll(requests.filter((asked): asked is Asked => asked.request !== undefined));
  }

  #activate(counter: Counter): void {
    if (counter.isActive) return;
    counter.isActive = true;
    this.#active.push(counter);
  }

  async #run(): Promise<void> {
    // Those that ask in the same turn go into the same exchange.
    await Promise.resolve();
    while (this.#batch !== undefined) {
      const { resolve } = this.#batch;
      this.#batch = undefined;
      const now = this.#ports.now();
      const asked = [...this.#needs].flatMap(([counter, amount]): Asked[] => {
        const lack = amount === 0 ? 0 : this.lack(counter, amount, now);
        const hasNews = counter.hasNews(now, amount);
        const request = counter.toLease(lack, now, amount);
        return hasNews || request.owed + request.wanted > 0 ? [{ counter, request }] : [];
      });
      this.#needs.clear();
      await this.#exchangeAll(asked);
      resolve();
    }
    // At once: whoever asks from here on has to find that nothing runs.
    this.#running = undefined;
  }

  async #exchangeAll(asked: readonly Asked[]): Promise<void> {
    for (let start = 0; start < asked.length; start += MOST) await this.#exchange(asked.slice(start, start + MOST));
  }

  async #exchange(asked: readonly Asked[]): Promise<void> {
    // However late the answer comes, the shares are as the store has them then.
    await this.#tell(async () => {
      for (const { counter } of asked) counter.retain();
      try {
        if (this.isLapsed(this.#ports.now())) await this.#renew();
        const lapses = this.#lapses;
        const grants = await this.#ports.leases.exchange(asked.map(({ request }) => request));
        const now = this.#ports.now();
        for (const [index, { counter, request }] of asked.entries()) {
          const grant = grants[index];
          if (grant !== undefined) counter.take(request, grant, now);
          if (lapses === this.#lapses) counter.resume();
        }
      } catch (error) {
        for (const { counter, request } of asked) counter.restore(request);
        throw error;
      } finally {
        for (const { counter } of asked) counter.release();
      }
    });
  }

  /** Tells that this process lives; where it was silent for too long, nothing it has leased may be used as it is. */
  async #renew(): Promise<void> {
    const begunMs = this.#ports.now();
    await this.#ports.leases.renew();
    if (this.#ports.now() - this.#renewedMs >= LEASE_MS) {
      this.#lapses += 1;
      for (const counter of this.#active) counter.suspend();
    }
    this.#renewedMs = Math.max(this.#renewedMs, begunMs);
  }

  /** Returns whether this process was silent for so long that others may have taken back what it had leased. */
  isLapsed(nowMs: number): boolean {
    return nowMs - this.#renewedMs > LEASE_MS - MARGIN_MS;
  }

  /** Tells the store something, and takes note of whether it has answered in time. */
  async #tell(act: () => Promise<void>): Promise<void> {
    const { timeoutMs = TIMEOUT_MS, onAway } = this.#ports;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    try {
      await Promise.race([act(), late.promise]);
      this.#isAway = false;
    } catch (error) {
      if (!this.#isAway) onAway?.(error);
      this.#isAway = true;
    } finally {
      clearTimeout(timer);
    }
  }
}
