import type { CounterPages } from "./counter-page.ts";
import { QUOTA_RULES, type QuotaRule } from "./quota-fields.ts";
import { Share } from "./share.ts";
import { windowEnd } from "./windows.ts";

/** An amount that a call holds, with the window that it counts in. */
export interface Hold {
  readonly amount: number;
  windowEndMs: number;
}

/**
 * Counts what this process takes of one limit of one subject, in one window after the other. A window never gives way
 * to an earlier one, so a clock that is set back renews nothing.
 */
export class Counter extends Share {
  readonly subject: string;
  /** Another counter of the subject. */
  sibling: Counter | undefined;

  constructor(subject: string, rule: QuotaRule, pages: CounterPages) {
    super(rule, pages);
    this.subject = subject;
  }

  /** Returns the amount that this process has used in the window of a time. */
  used(nowMs: number): number {
    this.advance(nowMs);
    return this.usedThen;
  }

  /** Returns the amount that all processes have used or leased in the window of a time, as far as this one knows. */
  usedByAll(nowMs: number): number {
    return this.used(nowMs) + this.ofOthers;
  }

  /** Returns when the amount renews; undefined where no time renews it. */
  resetsAtMs(nowMs: number): number | undefined {
    this.advance(nowMs);
    const { endMs } = this;
    return Number.isFinite(endMs) ? endMs : undefined;
  }

  /** Adds an amount in the window of a time, which it notes, until replace() is told what it came to. */
  hold(hold: Hold, nowMs: number): void {
    this.advance(nowMs);
    this.usedThen += hold.amount;
    this.holds += 1;
    this.noteTaken(hold.amount, nowMs);
    hold.windowEndMs = this.endMs;
  }

  /**
   * Ends a hold, once, with the amount that it came to. A window that is over has nothing to give back; what is above
   * the amount that was held counts now.
   */
  replace(hold: Hold, amount: number, nowMs: number): void {
    this.advance(nowMs);
    this.holds -= 1;
    const change = amount - hold.amount;
    if (change > 0 || hold.windowEndMs === this.endMs) this.usedThen += change;
  }

  /** Keeps the counter from being forgotten until release(), for whoever waits for the store. */
  retain(): void {
    this.holds += 1;
  }

  release(): void {
    this.holds -= 1;
  }

  /** Returns whether a call in flight, or whoever waits for the store, may yet change it. */
  get isHeld(): boolean {
    return this.holds > 0;
  }

  /**
   * Returns whether the counter may be forgotten: no call is in flight that may change it, and it counts nothing that a
   * store does not know.
   */
  isIdle(nowMs: number): boolean {
    this.advance(nowMs);
    return !this.isHeld && this.isAtRest(nowMs);
  }

  private advance(nowMs: number): void {
    if (nowMs < this.endMs) return;
    this.usedThen = 0;
    this.isWarned = false;
    this.enter(windowEnd(QUOTA_RULES[this.rule].window, nowMs) ?? Number.POSITIVE_INFINITY);
  }
}
