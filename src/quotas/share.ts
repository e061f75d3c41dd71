import { CounterRow } from "./counter-row.ts";
import type { LeaseGrant, LeaseRequest } from "./leases.ts";
import { QUOTA_RULES } from "./quota-fields.ts";
import { windowEnd, windowStart } from "./windows.ts";

/** The time before a window's end at which a share of the next one is leased. */
const AHEAD_OF_WINDOW_MS = 2000;
/** The time for which nothing more is asked for of a limit that has no more. */
const FULL_MS = 1000;
/** The time for which a subject that was used has enough at hand for two more such calls. */
const RECENT_MS = 60_000;
/** A subject that was not used for so long leases of the next window when it is used. */
const BUSY_MS = 10_000;

/** The part of a counter's limit that this process has leased, and what it should lease next. */
export abstract class Share extends CounterRow {
  abstract readonly subject: string;
  abstract used(nowMs: number): number;
  abstract resetsAtMs(nowMs: number): number | undefined;

  noteTaken(amount: number, nowMs: number): void {
    this.taken += amount;
    this.latest = amount;
    this.latestMs = nowMs;
  }

  /** Returns whether nothing is at hand and nothing is owed: the store knows all that was taken. */
  isAtRest(nowMs: number): boolean {
    return this.spare(nowMs) === 0 && this.ahead(nowMs) === 0;
  }

  /** A second is over. */
  tick(): void {
    this.takenBefore = this.taken;
    this.taken = 0;
  }

  /** A window begins that ends then. */
  enter(endMs: number): void {
    const next = this.next?.endMs === endMs ? this.next : undefined;
    this.endMs = endMs;
    this.leased = next?.leased ?? 0;
    this.ofOthers = next?.ofOthers ?? 0;
    this.next = undefined;
    this.fullUntilMs = 0;
    this.free = 0;
  }

  /** The process was not heard of for so long that others may have taken back what it has not spent. */
  suspend(): void {
    this.isSuspended = true;
  }

  /** The store has told what is left of the lease. */
  resume(): void {
    this.isSuspended = false;
  }

  /** Returns how much has to be leased before an amount may be held; 0 or less where it may be held at once. */
  lack(amount: number, nowMs: number): number {
    const lack = amount - this.spare(nowMs);
    return this.isSuspended ? Math.max(amount, lack) : lack;
  }

  /**
   * Returns whether the store has to be told before an amount may be held: it would come out of what others get should
   * this process die.
   */
  isUntold(amount: number, nowMs: number): boolean {
    return this.free > 0 && !this.isInFlight && this.spare(nowMs) - amount < this.free;
  }

  /** Returns whether an amount may be held at once, of what is leased and known to be. */
  hasLeased(amount: number, nowMs: number): boolean {
    return this.spare(nowMs) >= amount && !this.isSuspended && !this.isUntold(amount, nowMs);
  }

  /** Returns whether the store has said of late that it has not so much. */
  isFull(lack: number, nowMs: number): boolean {
    if (nowMs >= this.fullUntilMs) this.fullUntilMs = 0;
    return this.fullUntilMs !== 0 && lack > this.room;
  }

  /** Returns whether so little is left that more should be leased before a call needs it. */
  isLow(nowMs: number): boolean {
    return this.spare(nowMs) < this.ahead(nowMs) / 2 && !this.isFull(1, nowMs);
  }

  /** Returns whether so little may be taken untold that the store should hear of it before a call needs it. */
  isNearlyUntold(nowMs: number): boolean {
    return this.isUntold(this.expected(nowMs, 0) / 2, nowMs);
  }

  /** Returns whether the store knows another amount as free than is, with what calls wait for. */
  hasNews(nowMs: number, waiting: number): boolean {
    const { unspent, expected } = this.standing(nowMs, waiting);
    return Math.max(0, unspent - expected) !== this.free;
  }

  /** Returns the request that gets calls what they wait for, and some for those to come. */
  toLease(lack: number, nowMs: number, waiting = lack): LeaseRequest {
    const spare = this.spare(nowMs);
    const owed = Math.max(0, -spare);
    const need = Math.max(0, lack - owed);
    const ahead = Math.max(0, this.ahead(nowMs) - Math.max(0, spare));
    const standing = this.standing(nowMs, waiting);
    this.noteTold(standing);
    return { ...this.window(nowMs), ...standing, owed, need, wanted: need + ahead };
  }

  /**
   * Returns the request that tells what was taken beyond the share, or gives back what nobody is likely to use soon,
   * which no call may take from now on; or that tells how much is not spent. Undefined where the store knows all that.
   * `keep` says how much stays at hand.
   */
  toSettle(nowMs: number, keep = this.ahead(nowMs)): LeaseRequest | undefined {
    const spare = this.spare(nowMs);
    const owed = spare < 0 ? -spare : Math.min(0, keep - spare);
    const standing = this.standing(nowMs);
    if (owed === 0 && Math.max(0, standing.unspent - standing.expected) === this.free) return undefined;
    if (owed < 0) this.leased += owed;
    this.noteTold({ ...standing, unspent: Math.max(0, standing.unspent + Math.min(0, owed)) });
    return { ...this.window(nowMs), ...standing, owed, need: 0, wanted: 0 };
  }

  /** Returns the request for the window that begins soon; undefined where that is not called for. */
  toEnterNext(nowMs: number): LeaseRequest | undefined {
    const endMs = this.resetsAtMs(nowMs);
    const isBusy = this.taken > 0 || nowMs - this.latestMs < BUSY_MS;
    const ahead = isBusy ? this.ahead(nowMs) : 0;
    if (endMs === undefined || endMs - nowMs > AHEAD_OF_WINDOW_MS || ahead === 0 || this.next !== undefined) return;
    return { ...this.window(endMs), leased: 0, unspent: 0, expected: ahead, owed: 0, need: 0, wanted: ahead };
  }

  /** Takes the store's answer to a request. */
  take(request: LeaseRequest, { granted, leasedByAll, lost, free }: LeaseGrant, nowMs: number): void {
    const endMs = request.endsAtMs ?? Number.POSITIVE_INFINITY;
    this.used(nowMs);
    if (endMs > this.endMs) this.next = { endMs, leased: granted, ofOthers: leasedByAll - granted };
    if (endMs !== this.endMs) return;
    this.leased += Math.max(0, request.owed) + granted - lost;
    this.free = free;
    this.ofOthers = Math.max(0, leasedByAll - this.leased);
    this.room = Math.max(0, request.limit - leasedByAll);
    this.fullUntilMs = granted < request.need ? nowMs + FULL_MS : 0;
  }

  /** The store could not take a request: what was to be given back is still leased. */
  restore({ owed, endsAtMs = Number.POSITIVE_INFINITY }: LeaseRequest): void {
    if (owed < 0 && endsAtMs === this.endMs) this.leased -= owed;
  }

  /**
   * The amount to have at hand: as much as was taken in the last second or two, and as two more calls may take, but for
   * limits that have little left for all.
   */
  private ahead(nowMs: number): number {
    const used = this.isInFlight ? Math.ceil(this.used(nowMs) / 4) : this.taken + this.takenBefore;
    return Math.max(used, this.twoMore(nowMs));
  }

  private twoMore(nowMs: number): number {
    return nowMs - this.latestMs < RECENT_MS ? Math.min(2 * this.latest, Math.floor(this.room / 4)) : 0;
  }

  /** The part of the lease that no call has taken; below 0 what was taken beyond it. */
  private spare(nowMs: number): number {
    const used = this.used(nowMs);
    return this.leased - used;
  }

  /** The store has not heard yet: until it has, no more may be taken than what it knows allows, and what it is told. */
  private noteTold({ unspent, expected }: Pick<LeaseRequest, "unspent" | "expected">): void {
    this.free = Math.max(this.free, unspent - expected);
  }

  /**
   * Calls in flight have spent nothing: all of their lease is free when the process has died. Of other limits, what may
   * be taken before the store hears of it is not.
   */
  private standing(nowMs: number, waiting = 0): Pick<LeaseRequest, "leased" | "unspent" | "expected"> {
    const leased = this.leased;
    if (this.isInFlight) return { leased, unspent: leased, expected: 0 };
    return { leased, unspent: Math.max(0, this.spare(nowMs)), expected: this.expected(nowMs, waiting) };
  }

  /**
   * The amount that may be taken before the store hears of it, and is lost should the process die: as much as in the
   * latest second, with what calls wait for, and as two more calls after quiet seconds may take.
   */
  private expected(nowMs: number, waiting: number): number {
    return Math.max(this.taken + waiting, this.takenBefore, this.twoMore(nowMs));
  }

  private window(timeMs: number): Pick<LeaseRequest, "subject" | "rule" | "limit" | "startsAtMs" | "endsAtMs"> {
    const { subject, rule, limit } = this;
    const kind = QUOTA_RULES[rule].window;
    return { subject, rule, limit, startsAtMs: windowStart(kind, timeMs), endsAtMs: windowEnd(kind, timeMs) };
  }
}
