import { grown } from "./grown.ts";
import { mergeFamily } from "./merge-family.ts";

/** The most that a lost cache is believed to cost: a read costs a tenth of what it replaces, at the cheapest vendors. */
const MOST_SWITCH_COST = 9;
/** Paid answers that tell a price which no catalog does: who is too expensive is not asked again. */
const LEAST_PAID = 10;
/** The most prices of base that an answer counts as, where no catalog knows more. */
const MOST_PRICE = 10;

/** Costs of the answers of a workload's arms: base's by family, and the others' as multiples of base's there. */
export class PriceRecord {
  /** Per arm: prices as multiples of base's in the same family, and their sum. */
  readonly armPriceCounts: Float64Array;
  readonly armPriceSums: Float64Array;
  /** Per arm: the price that was known before any answer, and the answers that this counts for; 0 if none was. */
  readonly armKnownPrices: Float64Array;
  readonly armKnownWeights: Float64Array;
  /** Per family: base's prices and their sum. */
  basePriceCounts: Float64Array;
  basePriceSums: Float64Array;
  /** The total cost of base's answers and their number, and the discount of reading prompts from a cache. */
  basePaid = 0;
  basePriced = 0;
  baseSaved = 0;

  constructor(capacity: number, arms: number) {
    this.armPriceCounts = new Float64Array(arms);
    this.armPriceSums = new Float64Array(arms);
    this.armKnownPrices = new Float64Array(arms);
    this.armKnownWeights = new Float64Array(arms);
    this.basePriceCounts = new Float64Array(capacity);
    this.basePriceSums = new Float64Array(capacity);
  }

  /** Notes an arm's price by the catalog, which counts as so many answers. */
  know(arm: number, price: number, weight: number): void {
    this.armKnownPrices[arm] = price;
    this.armKnownWeights[arm] = weight;
  }

  /** Counts an answer of base, and what its cache reads took off. */
  addOfBase(family: number, price: number, saved: number): void {
    this.basePriceCounts[family] = (this.basePriceCounts[family] ?? 0) + 1;
    this.basePriceSums[family] = (this.basePriceSums[family] ?? 0) + price;
    this.basePaid += price;
    this.basePriced += 1;
    this.baseSaved += saved;
  }

  /** Counts an answer of another arm; of a family in which base has no price it says nothing. */
  add(family: number, arm: number, price: number): void {
    const ofBase = this.baseMeanIn(family);
    if (ofBase === undefined || ofBase === 0) return;
    this.armPriceCounts[arm] = (this.armPriceCounts[arm] ?? 0) + 1;
    // One answer of a hundred times the length says little about the next.
    const most = Math.max(MOST_PRICE, this.armKnownPrices[arm] ?? 0);
    this.armPriceSums[arm] = (this.armPriceSums[arm] ?? 0) + Math.min(most, price / ofBase);
  }

  /** Returns base's mean price in a family; undefined before any. */
  baseMeanIn(family: number): number | undefined {
    const count = this.basePriceCounts[family] ?? 0;
    return count > 0 ? (this.basePriceSums[family] ?? 0) / count : undefined;
  }

  /** Returns base's mean price in all families; undefined before any. */
  get baseMean(): number | undefined {
    return this.basePriced > 0 ? this.basePaid / this.basePriced : undefined;
  }

  /**
   * Returns the extra cost of a request to an arm without base's prompt cache, in prices of base: what base's own cache
   * reads take off. 0 while base reads nothing from a cache.
   */
  get switchCost(): number {
    return this.basePaid > 0 ? Math.min(MOST_SWITCH_COST, Math.max(0, this.baseSaved / this.basePaid)) : 0;
  }

  /**
   * Returns the price of another arm than base as a multiple of base's. Before any is paid it is that of the catalog, or
   * where that has none as many of base's as it asks for answers; both without base's cache.
   */
  relative(arm: number, answers: number): number {
    const known = this.armKnownWeights[arm] ?? 0;
    const weight = known > 0 ? known : 1;
    const price = (known > 0 ? (this.armKnownPrices[arm] ?? 0) : answers) * (1 + this.switchCost);
    return ((this.armPriceSums[arm] ?? 0) + weight * price) / ((this.armPriceCounts[arm] ?? 0) + weight);
  }

  /** Returns whether enough is known of an arm's price to leave it out by it. */
  isKnown(arm: number): boolean {
    return (this.armPriceCounts[arm] ?? 0) >= LEAST_PAID || (this.armKnownWeights[arm] ?? 0) > 0;
  }

  /** Makes room for so many families. */
  grow(capacity: number): void {
    this.basePriceCounts = grown(this.basePriceCounts, capacity);
    this.basePriceSums = grown(this.basePriceSums, capacity);
  }

  /** Moves what is known of a family into another, and empties it. */
  merge(family: number, into: number): void {
    mergeFamily([this.basePriceCounts, this.basePriceSums], family, into);
  }
}
