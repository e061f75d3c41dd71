import { Counter, type Hold } from "./counter.ts";
import { CounterPages } from "./counter-page.ts";
import type { Leaser } from "./leaser.ts";
import type { SubjectQuota } from "./quota.ts";
import type { Amounts, QuotaRule } from "./quota-fields.ts";
import { listAmounts, listLimits, type QuotaLimit } from "./quota-limits.ts";
import { createRefusal, type QuotaRefusal, strictest } from "./quota-refusal.ts";
import type { UsedLimit } from "./quota-state.ts";

/** A counter that a call takes room in. */
interface Charge extends Hold {
  readonly counter: Counter;
  readonly limit: QuotaLimit;
  readonly owner: SubjectQuota;
}

/** The limit of a rule that has least left. */
interface Tightest {
  readonly counter: Counter;
  readonly limit: QuotaLimit;
  readonly kind: SubjectQuota["kind"];
  readonly used: number;
}

/** The amounts that a call holds, until it is settled or released; only the first of these counts. */
export interface Reservation {
  /** Replaces what was reserved with what the call took; what is absent was nothing. */
  settle(taken: Partial<Amounts>): void;
  /** Gives back what was reserved, for a call that took nothing. */
  release(): void;
}

/** The fate of calls beyond what is leased, while the store of the limits does not answer. */
export type WhenAway = "serve" | "refuse";

/** The options of a ledger. */
interface LedgerOptions {
  /** Leases shares of limits that several processes have; without it this process has them alone. */
  readonly leaser?: Leaser | undefined;
  readonly whenAway?: () => WhenAway;
}

/** Times that a call asks for a lease, where others take what it was to have, each time one exchange with the store. */
const MOST_TRIES = 30;

/**
 * Counts what calls take, by subject and rule. A reservation takes room in every quota that applies, or in none. A call
 * counts in the windows in which it was reserved; what it takes beyond its reservation counts when it is settled.
 */
export class QuotaLedger {
  readonly #now: () => number;
  readonly #leaser: Leaser | undefined;
  readonly #whenAway: () => WhenAway;
  /** The first counter of each subject, which has the others as siblings: a list for each would take 100 bytes. */
  readonly #counters = new Map<string, Counter>();
  readonly #pages = new CounterPages();

  /** Takes a clock that tells milliseconds since 1970 and is never set, as createSteadyClock() makes it. */
  constructor(now: () => number, { leaser, whenAway = () => "serve" }: LedgerOptions = {}) {
    this.#now = now;
    this.#leaser = leaser;
    this.#whenAway = whenAway;
  }

  /** The subjects that are counted at the moment. */
  get size(): number {
    return this.#counters.size;
  }

  /**
   * Reserves amounts in all quotas that have a rule for them, or returns the refusal that lasts longest: at once where
   * this process has leased enough, else when the store has answered.
   */
  reserve(
    quotas: readonly SubjectQuota[],
    amounts: Partial<Amounts>,
  ): Reservation | QuotaRefusal | Promise<Reservation | QuotaRefusal> {
    const nowMs = this.#now();
    const charges = this.#chargesOf(quotas, amounts);
    if (this.#fit(charges, nowMs)) return this.#hold(charges, nowMs);
    const lacking: Charge[] = [];
    const refusal = this.#judge(charges, lacking);
    if (refusal !== undefined) return refusal;
    return lacking.length === 0
      ? this.#hold(charges, nowMs)
      : this.#whileRetained(charges, () => this.#lease(charges, lacking));
  }

  /** Returns what this process has used of a rule of a subject, and all others have leased. */
  used(subject: string, rule: QuotaRule): number {
    return findCounter(this.#counters.get(subject), rule)?.usedByAll(this.#now()) ?? 0;
  }

  /** Returns of each rule the limit that has least left, among the quotas of a call. */
  tightest(quotas: readonly SubjectQuota[]): UsedLimit[] {
    const nowMs = this.#now();
    const found: (Tightest | undefined)[] = [];
    for (const { kind, subject, quota } of quotas) {
      let counter = this.#counters.get(subject);
      for (const limit of listLimits(quota)) {
        while (counter !== undefined && counter.ruleAt < limit.ruleAt) counter = counter.sibling;
        if (counter?.ruleAt !== limit.ruleAt) continue;
        const used = counter.usedByAll(nowMs);
        const other = found[limit.ruleAt];
        if (other !== undefined && other.limit.limit - other.used <= limit.limit - used) continue;
        found[limit.ruleAt] = { counter, limit, kind, used };
      }
    }
    return found.flatMap((tightest): UsedLimit[] => {
      if (tightest === undefined) return [];
      const { counter, limit, kind, used } = tightest;
      return [{ kind, rule: limit.rule, limit: limit.limit, used, resetsAtMs: counter.resetsAtMs(nowMs) }];
    });
  }

  /** Forgets subjects of whom nothing counts any more. */
  sweep(): void {
    const nowMs = this.#now();
    for (const [subject, first] of this.#counters) {
      const counters = [...siblings(first)];
      if (!counters.every((counter) => this.#isIdle(counter, nowMs))) continue;
      this.#counters.delete(subject);
      for (const counter of counters) counter.dispose(this.#pages);
    }
  }

  #isIdle(counter: Counter, nowMs: number): boolean {
    if (this.#leaser === undefined) return counter.used(nowMs) === 0 && !counter.isHeld;
    return counter.isIdle(nowMs) && !counter.isActive;
  }

  async #whileRetained<T>(charges: readonly Charge[], work: () => Promise<T>): Promise<T> {
    for (const { counter } of charges) counter.retain();
    try {
      return await work();
    } finally {
      for (const { counter } of charges) counter.release();
    }
  }

  async #lease(charges: readonly Charge[], lackingAtFirst: Charge[]): Promise<Reservation | QuotaRefusal> {
    let lacking = lackingAtFirst;
    for (let tries = 0; tries < MOST_TRIES && this.#leaser?.isAway === false; tries += 1) {
      await Promise.all(lacking.map(({ counter, amount }) => this.#leaser?.lease(counter, amount)));
      lacking = [];
      const refusal = this.#judge(charges, lacking);
      if (refusal !== undefined) return refusal;
      if (lacking.length === 0) return this.#hold(charges, this.#now());
    }
    const [first] = lacking;
    const isAway = this.#leaser?.isAway === true;
    const serves = isAway && this.#whenAway() === "serve";
    if (first === undefined || (serves && this.#isWithin(charges))) return this.#hold(charges, this.#now());
    // There may be room: the store did not answer, or others took it each time.
    return { ...createRefusal(first.counter, first, this.#now()), isUnknown: !serves };
  }

  /** Returns whether charges are within their limits, if the other processes take no more than they had leased. */
  #isWithin(charges: readonly Charge[]): boolean {
    const nowMs = this.#now();
    return charges.every(({ counter, amount }) => counter.usedByAll(nowMs) + amount <= counter.limit);
  }

  /** Returns whether all charges have room that is leased: most calls need to know no more. */
  #fit(charges: readonly Charge[], nowMs: number): boolean {
    const leaser = this.#leaser;
    for (const { counter, amount } of charges) {
      if (counter.used(nowMs) + amount > counter.limit) return false;
      if (leaser !== undefined && !counter.hasLeased(amount, nowMs)) return false;
    }
    return leaser?.isLapsed(nowMs) !== true;
  }

  /** Returns the refusal that lasts longest; undefined if there is none, the charges that lack a lease being added. */
  #judge(charges: readonly Charge[], lacking: Charge[]): QuotaRefusal | undefined {
    const nowMs = this.#now();
    let refusal: QuotaRefusal | undefined;
    for (const charge of charges) {
      const { counter, amount } = charge;
      const isOver = counter.used(nowMs) + amount > counter.limit;
      const lack = this.#leaser === undefined || isOver ? 0 : this.#leaser.lack(counter, amount, nowMs);
      if (isOver || (lack > 0 && counter.isFull(lack, nowMs))) {
        refusal = strictest(refusal, createRefusal(counter, charge, nowMs));
      } else if (lack > 0 || this.#leaser?.hasToTell(counter, amount, nowMs) === true) lacking.push(charge);
    }
    return refusal;
  }

  #chargesOf(quotas: readonly SubjectQuota[], amounts: Partial<Amounts>): Charge[] {
    const taken = listAmounts(amounts);
    const charges: Charge[] = [];
    for (const owner of quotas) {
      let counter: Counter | undefined;
      for (const limit of listLimits(owner.quota)) {
        const amount = taken[limit.amountAt];
        if (amount === undefined) continue;
        counter = this.#counter(owner.subject, limit, counter);
        counter.limit = limit.limit;
        charges.push({ counter, limit, amount, owner, windowEndMs: 0 });
      }
    }
    return charges;
  }

  #hold(charges: readonly Charge[], nowMs: number): Reservation {
    for (const charge of charges) {
      charge.counter.hold(charge, nowMs);
      this.#leaser?.used(charge.counter, nowMs);
    }
    let isOpen = true;
    const end = (amounts: Partial<Amounts>): void => {
      if (!isOpen) return;
      isOpen = false;
      const endMs = this.#now();
      const taken = listAmounts(amounts);
      for (const charge of charges) {
        const { isInFlight, amountAt } = charge.limit;
        charge.counter.replace(charge, isInFlight ? 0 : (taken[amountAt] ?? 0), endMs);
      }
    };
    return { settle: end, release: () => end({}) };
  }

  /** Returns the counter of a rule, after the one of an earlier rule: those of a subject are in the order of rules. */
  #counter(subject: string, { rule, ruleAt }: QuotaLimit, before: Counter | undefined): Counter {
    let last = before;
    let next = before === undefined ? this.#counters.get(subject) : before.sibling;
    while (next !== undefined && next.ruleAt < ruleAt) {
      last = next;
      next = next.sibling;
    }
    if (next?.ruleAt === ruleAt) return next;
    const counter = new Counter(last?.subject ?? next?.subject ?? subject, rule, this.#pages);
    counter.sibling = next;
    if (last === undefined) this.#counters.set(counter.subject, counter);
    else last.sibling = counter;
    return counter;
  }
}

function findCounter(first: Counter | undefined, rule: QuotaRule): Counter | undefined {
  let counter = first;
  while (counter !== undefined && counter.rule !== rule) counter = counter.sibling;
  return counter;
}

function* siblings(first: Counter): Generator<Counter> {
  for (let counter: Counter | undefined = first; counter !== undefined; counter = counter.sibling) yield counter;
}
