import { QUOTA_RULES, type QuotaRule } from "./quota.ts";
import { Share } from "./share.ts";
import { windowEnd } from "./windows.ts";

/** An amount that a call holds, with the window that it counts in. */
export interface Hold {
  readonly amount: number;
  readonly windowEndMs: number;
}

/**
 * Counts what this process takes of one limit of one subject, in one window after the other. A window never gives way
 * to an earlier one, so a clock that is set back renews nothing.
 */
export class Counter {
  readonly subject: string;
  readonly rule: QuotaRule;
  readonly share: Share;
  /** The limit that the latest call came with. */
  limit = 0;
  /** The end of the window in which somebody was warned of it. */
  warnedEndMs = 0;
  /** The end of the window: before it, nothing has to be computed. */
  #endMs = 0;
  #used = 0;
  /** The calls that hold an amount, and may yet take more. */
  #holds = 0;

  constructor(subject: string, rule: QuotaRule) {
    this.subject = subject;
    this.rule = rule;
    this.share = new Share(this);
  }

  /** Returns the amount that this process has used in the window of a time. */
  used(nowMs: number): number {
    this.#advance(nowMs);
    return this.#used;
  }

  /** Returns the amount that all processes have used or leased in the window of a time, as far as this one knows. */
  usedByAll(nowMs: number): number {
    return this.used(nowMs) + this.share.ofOthers;
  }

  /** Returns when the amount renews; undefined where no time renews it. */
  resetsAtMs(nowMs: number): number | undefined {
    this.#advance(nowMs);
    return Number.isFinite(this.#endMs) ? this.#endMs : undefined;
  }

  /** Adds an amount in the window of a time, until replace() is told what it came to. */
  hold(amount: number, nowMs: number): Hold {
    this.#advance(nowMs);
    this.#used += amount;
    this.#holds += 1;
    this.share.noteTaken(amount, nowMs);
    return { amount, windowEndMs: this.#endMs };
  }

  /**
   * Ends a hold, once, with the amount that it came to. A window that is over has nothing to give back; what is above
   * the amount that was held counts now.
   */
  replace(hold: Hold, amount: number, nowMs: number): void {
    this.#advance(nowMs);
    this.#holds -= 1;
    const change = amount - hold.amount;
    if (change > 0 || hold.windowEndMs === this.#endMs) this.#used += change;
  }

  /** Returns whether a call is in flight that may yet change it. */
  get isHeld(): boolean {
    return this.#holds > 0;
  }

  /**
   * Returns whether the counter may be forgotten: no call is in flight that may change it, and it counts nothing that a
   * store does not know.
   */
  isIdle(nowMs: number): boolean {
    this.#advance(nowMs);
    return !this.isHeld && this.share.isAtRest(nowMs);
  }

  #advance(nowMs: number): void {
    if (nowMs < this.#endMs) return;
    this.#endMs = windowEnd(QUOTA_RULES[this.rule].window, nowMs) ?? Number.POSITIVE_INFINITY;
    this.#used = 0;
    this.share.enter(this.#endMs);
  }
}
