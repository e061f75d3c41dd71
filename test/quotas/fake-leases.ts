import { grantLease } from "../../src/quotas/grant-lease.ts";
import { LEASE_MS, type LeaseGrant, type LeaseRequest, type QuotaLeases } from "../../src/quotas/leases.ts";

/** The lease of a process, as the store has it. */
interface Lease {
  free: number;
  lost: number;
}

/** Leases that processes share in memory, by the rules of the store. */
export class FakeLeases {
  readonly leased = new Map<string, number>();
  /** By process and window. */
  readonly #leases = new Map<string, Map<string, Lease>>();
  readonly #seenAtMs = new Map<string, number>();
  readonly #now: () => number;
  isAway = false;
  exchanges = 0;

  constructor(now: () => number = () => 0) {
    this.#now = now;
  }

  /** Creates the leases of one process. */
  of(process: string): QuotaLeases {
    return {
      exchange: async (requests) => {
        await this.#answer();
        this.exchanges += 1;
        return requests.map((request) => this.#exchange(process, request));
      },
      renew: async () => {
        await this.#answer();
        this.#seenAtMs.set(process, this.#now());
        for (const [other, seenAtMs] of this.#seenAtMs) if (this.#now() - seenAtMs > LEASE_MS) this.#takeBack(other);
      },
    };
  }

  async #answer(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.isAway) throw new Error("the store is away");
  }

  #exchange(process: string, request: LeaseRequest): LeaseGrant {
    const name = `${request.subject} ${request.rule} ${request.startsAtMs}`;
    const leases = this.#leases.get(process) ?? new Map<string, Lease>();
    this.#leases.set(process, leases);
    const lost = leases.get(name)?.lost ?? 0;
    const grant = grantLease({ leasedByAll: this.leased.get(name) ?? 0, lost }, request);
    this.leased.set(name, grant.leasedByAll);
    leases.set(name, { free: grant.free, lost: 0 });
    return grant;
  }

  #takeBack(process: string): void {
    for (const [name, lease] of this.#leases.get(process) ?? []) {
      this.leased.set(name, (this.leased.get(name) ?? 0) - lease.free);
      lease.lost += lease.free;
      lease.free = 0;
    }
  }
}
