import type { LeaseGrant, LeaseRequest, QuotaLeases } from "../../src/quotas/leases.ts";

/** Leases that processes share in memory, by the rules of the store. */
export class FakeLeases implements QuotaLeases {
  readonly leased = new Map<string, number>();
  isAway = false;
  exchanges = 0;

  async exchange(requests: readonly LeaseRequest[]): Promise<readonly LeaseGrant[]> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.isAway) throw new Error("the store is away");
    this.exchanges += 1;
    return requests.map((request) => {
      const name = `${request.subject} ${request.rule} ${request.startsAtMs}`;
      const before = (this.leased.get(name) ?? 0) + request.owed;
      const room = Math.max(0, request.limit - before);
      const granted = Math.min(room, Math.max(request.need, Math.min(request.wanted, Math.floor(room / 4))));
      this.leased.set(name, before + granted);
      return { granted, leasedByAll: before + granted };
    });
  }

  async renew(): Promise<void> {
    if (this.isAway) throw new Error("the store is away");
  }
}
