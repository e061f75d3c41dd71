import { type CounterPage, type CounterPages, type NextWindow, NUMBERS, WHOLES } from "./counter-page.ts";
import { QUOTA_RULE_NAMES, QUOTA_RULES, type QuotaRule } from "./quota-fields.ts";

const MINUTE_MS = 60_000;
const SECOND_MS = 1000;
/** The end of a window that no time ends, in minutes. */
const NEVER = 2 ** 32 - 1;
const [ACTIVE, WARNED, SUSPENDED] = [1, 2, 4];
/** The bit of the flags from which on they have the place of the rule. */
const RULE_BIT = 8;
const IN_FLIGHT = QUOTA_RULE_NAMES.map((rule) => QUOTA_RULES[rule].window === "inFlight");

/**
 * The state of a counter, which is a row of a page. Its methods are private by TypeScript alone: a class with methods
 * that are private by the language takes 8 bytes more of each object.
 */
export class CounterRow {
  readonly #page: CounterPage;
  readonly #row: number;

  constructor(rule: QuotaRule, pages: CounterPages) {
    const { page, row } = pages.take();
    this.#page = page;
    this.#row = row;
    this.setWhole(3, QUOTA_RULE_NAMES.indexOf(rule) << RULE_BIT);
  }

  get rule(): QuotaRule {
    // The constructor has put it there.
    return QUOTA_RULE_NAMES[this.ruleAt] as QuotaRule;
  }

  /** The place of the rule among QUOTA_RULE_NAMES. */
  get ruleAt(): number {
    return this.whole(3) >> RULE_BIT;
  }

  /** True of a limit on calls at a time. */
  protected get isInFlight(): boolean {
    return IN_FLIGHT[this.ruleAt] === true;
  }

  /** Gives the row to other counters: nothing may look at this one any more. */
  dispose(pages: CounterPages): void {
    pages.release(this.#page, this.#row);
  }

  /** The limit that the latest call came with. */
  get limit(): number {
    return this.number(0);
  }
  set limit(limit: number) {
    this.setNumber(0, limit);
  }

  /** The amount that this process has used in the window. */
  protected get usedThen(): number {
    return this.number(1);
  }
  protected set usedThen(amount: number) {
    this.setNumber(1, amount);
  }

  /** The amount that this process has leased. */
  get leased(): number {
    return this.number(2);
  }
  protected set leased(amount: number) {
    this.setNumber(2, amount);
  }

  /** The amount that the other processes have leased, as far as is known. */
  get ofOthers(): number {
    return this.number(3);
  }
  protected set ofOthers(amount: number) {
    this.setNumber(3, amount);
  }

  /** The amount taken since the last second began. */
  protected get taken(): number {
    return this.number(4);
  }
  protected set taken(amount: number) {
    this.setNumber(4, amount);
  }

  /** The amount taken in the second before. */
  protected get takenBefore(): number {
    return this.number(5);
  }
  protected set takenBefore(amount: number) {
    this.setNumber(5, amount);
  }

  /** The latest amount that was taken. */
  protected get latest(): number {
    return this.number(6);
  }
  protected set latest(amount: number) {
    this.setNumber(6, amount);
  }

  /** The amount that the store had left to lease when it was last asked. */
  protected get room(): number {
    return this.number(7);
  }
  protected set room(amount: number) {
    this.setNumber(7, amount);
  }

  /** The part of the lease that others get should this process die, as the store was told. */
  protected get free(): number {
    return this.number(8);
  }
  protected set free(amount: number) {
    this.setNumber(8, amount);
  }

  /** Until then the store has no more, to the second; 0 where it has. */
  protected get fullUntilMs(): number {
    return this.whole(4) * SECOND_MS;
  }
  protected set fullUntilMs(timeMs: number) {
    this.setWhole(4, timeMs / SECOND_MS);
  }

  /** The end of the window, which is a whole minute; infinite where no time ends it. */
  protected get endMs(): number {
    const minute = this.whole(0);
    return minute === NEVER ? Number.POSITIVE_INFINITY : minute * MINUTE_MS;
  }
  protected set endMs(timeMs: number) {
    this.setWhole(0, Math.min(NEVER, timeMs / MINUTE_MS));
  }

  /** When the latest amount was taken, to the second. */
  protected get latestMs(): number {
    return this.whole(1) * SECOND_MS;
  }
  protected set latestMs(timeMs: number) {
    this.setWhole(1, timeMs / SECOND_MS);
  }

  /** The number of those who may yet change the counter. */
  protected get holds(): number {
    return this.whole(2);
  }
  protected set holds(count: number) {
    this.setWhole(2, count);
  }

  /** True while something is leased, or asked for. */
  get isActive(): boolean {
    return this.hasFlag(ACTIVE);
  }
  set isActive(isSet: boolean) {
    this.setFlag(ACTIVE, isSet);
  }

  /** True once somebody was warned of the use in this window. */
  get isWarned(): boolean {
    return this.hasFlag(WARNED);
  }
  set isWarned(isSet: boolean) {
    this.setFlag(WARNED, isSet);
  }

  /** True while others may have taken back what is leased: nothing of it may be used. */
  protected get isSuspended(): boolean {
    return this.hasFlag(SUSPENDED);
  }
  protected set isSuspended(isSet: boolean) {
    this.setFlag(SUSPENDED, isSet);
  }

  /** The share of the next window; undefined before it is leased. */
  protected get next(): NextWindow | undefined {
    return this.#page.next.get(this.#row);
  }
  protected set next(next: NextWindow | undefined) {
    if (next === undefined) this.#page.next.delete(this.#row);
    else this.#page.next.set(this.#row, next);
  }

  private number(column: number): number {
    return this.#page.numbers[this.#row * NUMBERS + column] ?? 0;
  }
  private setNumber(column: number, value: number): void {
    this.#page.numbers[this.#row * NUMBERS + column] = value;
  }
  private whole(column: number): number {
    return this.#page.wholes[this.#row * WHOLES + column] ?? 0;
  }
  private setWhole(column: number, value: number): void {
    this.#page.wholes[this.#row * WHOLES + column] = value;
  }
  private hasFlag(flag: number): boolean {
    return (this.whole(3) & flag) !== 0;
  }
  private setFlag(flag: number, isSet: boolean): void {
    this.setWhole(3, isSet ? this.whole(3) | flag : this.whole(3) & ~flag);
  }
}
