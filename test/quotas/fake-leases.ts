import { grantLease } from "../../src/quotas/grant-lease.ts";
import { LEASE_MS, type LeaseGrant, type LeaseRequest, type QuotaLeases } from "../../src/quotas/leases.ts";

/** The lease of a process, as the store has it. */
interface Lease {
  /** Its part of what all have leased. */
  leased: number;
  free: number;
  lost: number;
}

/** The way of a request to the store and back; whoever throws on it loses it there. */
export interface Way {
  reach(): Promise<void>;
  answer(): Promise<void>;
}

/** Leases that processes share in memory, by the rules of the store. */
export class FakeLeases {
  readonly leased = new Map<string, number>();
  /** By process and window. */
  readonly #leases = new Map<string, Map<string, Lease>>();
  readonly #seenAtMs = new Map<string, number>();
  readonly #now: () => number;
  readonly #way: Way | undefined;
  isAway = false;
  exchanges = 0;

  constructor(now: () => number = () => 0, way?: Way) {
    this.#now = now;
    this.#way = way;
  }

  /** Creates the leases of one process. */
  of(process: string): QuotaLeases {
    return {
      exchange: async (requests) => {
        await this.#reach();
        this.exchanges += 1;
        const grants = requests.map((request) => this.#exchange(process, request));
        await this.#way?.answer();
        return grants;
      },
      renew: async () => {
        await this.#reach();
        const wasHeard = this.#isHeard(process);
        this.#seenAtMs.set(process, this.#now());
        if (wasHeard) for (const other of this.#seenAtMs.keys()) if (!this.#isHeard(other)) this.#takeBack(other);
        await this.#way?.answer();
      },
    };
  }

  /** Returns what is left to a process when it has died, in all windows: its leases without what others get then. */
  keptBy(process: string): number {
    return [...(this.#leases.get(process)?.values() ?? [])].reduce((sum, { leased, free }) => sum + leased - free, 0);
  }

  async #reach(): Promise<void> {
    if (this.#way === undefined) await new Promise((resolve) => setImmediate(resolve));
    else await this.#way.reach();
    if (this.isAway) throw new Error("the store is away");
  }

  #isHeard(process: string): boolean {
    return this.#now() - (this.#seenAtMs.get(process) ?? Number.NEGATIVE_INFINITY) <= LEASE_MS;
  }

  #exchange(process: string, request: LeaseRequest): LeaseGrant {
    const name = `${request.subject} ${request.rule} ${request.startsAtMs}`;
    const leases = this.#leases.get(process) ?? new Map<string, Lease>();
    this.#leases.set(process, leases);
    const { leased, lost } = leases.get(name) ?? { leased: 0, lost: 0 };
    const leasedByAll = this.leased.get(name) ?? 0;
    const grant = grantLease({ leasedByAll, lost }, request);
    this.leased.set(name, grant.leasedByAll);
    leases.set(name, { leased: leased + grant.leasedByAll - leasedByAll, free: grant.free, lost: 0 });
    return grant;
  }

  #takeBack(process: string): void {
    for (const [name, lease] of this.#leases.get(process) ?? []) {
      this.leased.set(name, (this.leased.get(name) ?? 0) - lease.free);
      lease.leased -= lease.free;
      lease.lost += lease.free;
      lease.free = 0;
    }
  }
}
