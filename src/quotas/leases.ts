import type { QuotaRule } from "./quota-fields.ts";

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
  /** The part of it that no call has taken, which others get when this process has died. */
  readonly unspent: number;
  /**
   * The part of that which calls are likely to take before the store hears of it: it stays with a process that died.
   */
  readonly expected: number;
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
  /** Taken back of what this process had leased: it was not heard of for too long. */
  readonly lost: number;
  /** The part of what this process has leased now that others get when it has died. */
  readonly free: number;
}

/** A process that was not heard of for so long counts as dead: others may take back what it has not spent. */
export const LEASE_MS = 45_000;

/** The shares of limits that the processes on one store have leased. What they lease is never above a limit. */
export interface QuotaLeases {
  /** Leases and gives back, all of it or nothing. Returns a grant for each request. Rejects while the store is away. */
  exchange(requests: readonly LeaseRequest[]): Promise<readonly LeaseGrant[]>;
  /** Tells that this process lives, and takes back what dead ones have not spent. */
  renew(): Promise<void>;
}
