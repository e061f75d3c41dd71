import type { QuotaRule } from "./quota.ts";

/** The request of one process for a share of one limit, in one window. */
export interface LeaseRequest {
  readonly subject: string;
  readonly rule: QuotaRule;
  readonly limit: number;
  readonly startsAtMs: number;
  /** Undefined for a window that no time ends. */
  readonly endsAtMs: number | undefined;
  /** Leased by this process until now. */
  readonly leased: number;
  /** Added whatever the limit is, since it was taken already; below 0 it is given back. */
  readonly owed: number;
  /** Needed at once, by calls that wait. */
  readonly need: number;
  /** Wanted in all, at least what is needed: calls that are to come may take the rest. */
  readonly wanted: number;
}

/** The answer to one request. */
export interface LeaseGrant {
  /** Leased beside what was owed; less than was needed only where the limit has no more. */
  readonly granted: number;
  /** Leased by all processes after that. */
  readonly leasedByAll: number;
}

/** The shares of limits that the processes on one store have leased. What they lease is never above a limit. */
export interface QuotaLeases {
  /** Leases and gives back, all of it or nothing. Returns a grant for each request. Rejects while the store is away. */
  exchange(requests: readonly LeaseRequest[]): Promise<readonly LeaseGrant[]>;
  /** Tells that this process lives: what a dead one has leased of calls in flight is free after a minute. */
  renew(): Promise<void>;
}
