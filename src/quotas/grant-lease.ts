import type { LeaseGrant, LeaseRequest } from "./leases.ts";
import { QUOTA_RULES } from "./quota-fields.ts";

/** The standing of a limit before a request. */
interface LeaseStanding {
  /** Leased by all processes. */
  readonly leasedByAll: number;
  /** Taken back of the lease of the process that asks, since it was not heard of. */
  readonly lost: number;
}

/**
 * Answers a request. What is needed is granted as far as there is room, and of what is wanted beyond that no more than
 * a quarter of it. Of what was taken back, only what was spent nevertheless counts again.
 */
export function grantLease({ leasedByAll, lost }: LeaseStanding, request: LeaseRequest): LeaseGrant {
  const { leased, unspent, expected, owed, need, wanted, limit, rule } = request;
  const own = owed > 0 ? leased + owed : Math.min(leased - Math.min(lost, unspent), leased + owed);
  const before = leasedByAll + own - (leased - lost);
  const room = Math.max(0, limit - before);
  const granted = Math.min(room, Math.max(need, Math.min(wanted, Math.floor(room / 4))));
  const isInFlight = QUOTA_RULES[rule].window === "inFlight";
  const spare = owed > 0 ? 0 : own - (leased - unspent);
  return {
    granted,
    leasedByAll: before + granted,
    lost: leased + owed - own,
    free: isInFlight ? own + granted : Math.max(0, spare + Math.max(0, granted - need) - expected),
  };
}
