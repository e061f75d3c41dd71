import type { Counter } from "./counter.ts";
import type { LeaseRequest, QuotaLeases } from "./leases.ts";
import type { WatchQuota } from "./quota-watch.ts";

/** The ports of a leaser. */
export interface LeaserPorts {
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
  readonly #active = new Set<Counter>();
  #batch: PromiseWithResolvers<void> | undefined;
  #running: Promise<void> | undefined;
  #ticking: Promise<void> | undefined;
  #isAway = false;
  #ticks = 0;

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

  /** Returns whether something of a counter is leased, or asked for. */
  isActive(counter: Counter): boolean {
    return this.#active.has(counter);
  }

  /** A counter was used: its share may have to grow, and is given back when it is used no more. */
  used(counter: Counter): void {
    this.#active.add(counter);
    if (!this.#isAway && !this.#needs.has(counter) && counter.share.isLow(this.#ports.now()))
      void this.lease(counter, 0);
  }

  /** Leases what an amount needs. Resolves when the store has answered, or does not; never rejects. */
  lease(counter: Counter, amount: number): Promise<void> {
    this.#active.add(counter);
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
    for (const counter of this.#active) {
      const { share } = counter;
      for (const request of [share.toSettle(now), share.toEnterNext(now)])
        if (request) asked.push({ counter, request });
      share.tick();
      this.#ports.watch?.(counter, now);
      if (counter.isIdle(now) && this.#running === undefined) this.#active.delete(counter);
    }
    await this.#exchangeAll(asked);
    this.#ticks += 1;
    if (this.#isAway || this.#ticks % RENEWAL_TICKS === 0) await this.#tell(() => this.#ports.leases.renew());
  }

  /** Gives back everything that is not used. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#ticking;
    await this.#running;
    const now = this.#ports.now();
    const requests = [...this.#active].map((counter) => ({ counter, request: counter.share.toSettle(now, 0) }));
    await this.#exchangeAll(requests.filter((asked): asked is Asked => asked.request !== undefined));
  }

  async #run(): Promise<void> {
    // Those that ask in the same turn go into the same exchange.
    await Promise.resolve();
    while (this.#batch !== undefined) {
      const { resolve } = this.#batch;
      this.#batch = undefined;
      const now = this.#ports.now();
      const asked = [...this.#needs].map(([counter, amount]): Asked => {
        const lack = amount === 0 ? 0 : counter.share.lack(amount, now);
        return { counter, request: counter.share.toLease(lack, now) };
      });
      this.#needs.clear();
      await this.#exchangeAll(asked.filter(({ request: { owed, wanted } }) => owed + wanted > 0));
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
    await this.#tell(() =>
      this.#ports.leases.exchange(asked.map(({ request }) => request)).then(
        (grants) => {
          const now = this.#ports.now();
          for (const [index, { counter, request }] of asked.entries()) {
            const grant = grants[index];
            if (grant !== undefined) counter.share.take(request, grant, now);
          }
        },
        (error) => {
          for (const { counter, request } of asked) counter.share.restore(request);
          throw error;
        },
      ),
    );
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
