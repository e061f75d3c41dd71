import { Counter } from "./counter.ts";
import { type Amounts, QUOTA_RULE_NAMES, QUOTA_RULES, type QuotaRule, type SubjectQuota } from "./quota.ts";

/** A quota that has no room for a call. */
export interface QuotaRefusal {
  readonly subject: string;
  readonly rule: QuotaRule;
  readonly limit: number;
  readonly used: number;
  /** When it renews, in milliseconds since 1970; undefined where no time renews it. */
  readonly resetsAtMs: number | undefined;
  /** False where the call is larger than the limit, and would be refused at any time. */
  readonly fits: boolean;
}

/** A counter that a call takes room in. */
interface Charge {
  readonly counter: Counter;
  readonly rule: QuotaRule;
  readonly amount: number;
}

/** The amounts that a call holds, until it is settled or released; only the first of these counts. */
export interface Reservation {
  /** Replaces what was reserved with what the call took. */
  settle(taken: Amounts): void;
  /** Gives back what was reserved, for a call that took nothing. */
  release(): void;
}

const NOTHING: Amounts = { requests: 0, inputTokens: 0, outputTokens: 0, costNanos: 0 };

/**
 * Counts what calls take, by subject and rule. A reservation takes room in every quota that applies, or in none. A call
 * counts in the windows in which it was reserved; what it takes beyond its reservation counts when it is settled.
 */
export class QuotaLedger {
  readonly #now: () => number;
  /** By subject, and by the place of a rule in QUOTA_RULE_NAMES: a map for each subject would take twice the memory. */
  readonly #counters = new Map<string, (Counter | undefined)[]>();

  /** Takes a clock that tells milliseconds since 1970 and is never set, as createSteadyClock() makes it. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The subjects that are counted at the moment. */
  get size(): number {
    return this.#counters.size;
  }

  /** Reserves amounts in all quotas, or returns the refusal that lasts longest. */
  reserve(quotas: readonly SubjectQuota[], amounts: Amounts): Reservation | QuotaRefusal {
    const nowMs = this.#now();
    let refusal: QuotaRefusal | undefined;
    const charges: Charge[] = [];
    for (const { subject, quota } of quotas) {
      let index = -1;
      for (const rule of QUOTA_RULE_NAMES) {
        index += 1;
        const limit = quota[rule];
        if (limit === undefined) continue;
        const counter = this.#counter(subject, index, rule);
        const amount = amounts[QUOTA_RULES[rule].amount];
        const used = counter.used(nowMs);
        charges.push({ counter, rule, amount });
        if (used + amount <= limit) continue;
        const facts = { subject, rule, limit, used, resetsAtMs: counter.resetsAtMs(nowMs), fits: amount <= limit };
        if (refusal === undefined || lastsLonger(facts, refusal)) refusal = facts;
      }
    }
    return refusal ?? this.#hold(charges, nowMs);
  }

  /** Returns what is used of a rule of a subject. */
  used(subject: string, rule: QuotaRule): number {
    return this.#counters.get(subject)?.[QUOTA_RULE_NAMES.indexOf(rule)]?.used(this.#now()) ?? 0;
  }

  /** Forgets subjects of whom nothing counts any more. */
  sweep(): void {
    const nowMs = this.#now();
    for (const [subject, counters] of this.#counters) {
      if (counters.every((counter) => counter === undefined || counter.isIdle(nowMs))) this.#counters.delete(subject);
    }
  }

  #hold(charges: readonly Charge[], nowMs: number): Reservation {
    const holds = charges.map((charge) => ({ ...charge, hold: charge.counter.hold(charge.amount, nowMs) }));
    let isOpen = true;
    const end = (taken: Amounts): void => {
      if (!isOpen) return;
      isOpen = false;
      const endMs = this.#now();
      for (const { counter, rule, hold } of holds) {
        const { amount, window } = QUOTA_RULES[rule];
        counter.replace(hold, window === "inFlight" ? 0 : taken[amount], endMs);
      }
    };
    return { settle: end, release: () => end(NOTHING) };
  }

  #counter(subject: string, index: number, rule: QuotaRule): Counter {
    let counters = this.#counters.get(subject);
    if (counters === undefined) {
      counters = QUOTA_RULE_NAMES.map(() => undefined);
      this.#counters.set(subject, counters);
    }
    const counter = counters[index] ?? new Counter(QUOTA_RULES[rule].window);
    counters[index] = counter;
    return counter;
  }
}

/** Returns whether a refusal lasts longer than another: for ever, until a call ends, or until a time. */
function lastsLonger(refusal: QuotaRefusal, other: QuotaRefusal): boolean {
  return endOf(refusal) > endOf(other);
}

function endOf({ fits, rule, resetsAtMs }: QuotaRefusal): number {
  if (!fits || rule === "costNanosTotal") return Number.POSITIVE_INFINITY;
  return resetsAtMs ?? 0;
}
