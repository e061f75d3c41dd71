import { Quantiles, type QuantilesSnapshot } from "./quantiles.ts";

/**
 * Names of number metrics that a workload learns from; what is said under further names is kept, and not learned from.
 */
const MOST_METRICS = 100;
/**
 * Metrics of which it is known what they are: beside those of numbers, booleans, which are learned from without a
 * bound.
 */
const MOST_KNOWN = 200;

/** The facts of a metric. */
export interface MetricFacts {
  /** The kind of its latest value, and the direction in which it gets better. */
  readonly kind: "boolean" | "number";
  readonly direction: "max" | "min";
  /** Values that were learned from, and the sum of what they were worth. */
  readonly values: number;
  readonly worth: number;
}

/** The stored facts of metrics, by name. */
export interface MetricsSnapshot {
  /** Distributions of number metrics. */
  readonly metrics: Readonly<Record<string, QuantilesSnapshot>>;
  readonly facts: Readonly<Record<string, MetricFacts>>;
  /** True if people were told that there are more metrics than are learned from. */
  readonly isFull?: boolean;
}

/** Turns what is said under a name into what it is worth, from 0 to 1. */
export class Metrics {
  readonly #quantiles: Map<string, Quantiles>;
  readonly #facts: Map<string, MetricFacts>;
  #isFull: boolean;

  constructor({ metrics, facts, isFull }: Partial<MetricsSnapshot> = {}) {
    this.#quantiles = new Map(Object.entries(metrics ?? {}).map(([name, values]) => [name, new Quantiles(values)]));
    this.#facts = new Map(Object.entries(facts ?? {}));
    this.#isFull = isFull ?? false;
  }

  /**
   * Returns what a value is worth, and counts it: a number by its distance to those of its metric that came before.
   * Undefined for a number whose metric is beyond the bound.
   */
  worthOf(name: string, value: boolean | number, direction: "max" | "min"): number | undefined {
    const position = typeof value === "boolean" ? Number(value) : this.#place(name, value);
    if (position === undefined) return undefined;
    const worth = direction === "min" ? 1 - position : position;
    const known = this.#facts.get(name);
    if (known === undefined && this.#facts.size >= MOST_KNOWN) return worth;
    this.#facts.set(name, {
      ...{ kind: typeof value === "boolean" ? "boolean" : "number", direction },
      ...{ values: (known?.values ?? 0) + 1, worth: (known?.worth ?? 0) + worth },
    });
    return worth;
  }

  /** Returns what a value that was counted before is worth now. */
  worthAgain(name: string, value: boolean | number, direction: "max" | "min"): number | undefined {
    const position = typeof value === "boolean" ? Number(value) : this.#quantiles.get(name)?.positionOf(value);
    if (position === undefined) return undefined;
    return direction === "min" ? 1 - position : position;
  }

  #place(name: string, value: number): number | undefined {
    let quantiles = this.#quantiles.get(name);
    if (quantiles === undefined) {
      if (this.#quantiles.size >= MOST_METRICS) return undefined;
      quantiles = new Quantiles();
      this.#quantiles.set(name, quantiles);
    }
    const position = quantiles.positionOf(value);
    quantiles.add(value);
    return position;
  }

  /** Takes note that there are more metrics than are learned from; returns whether that is new. */
  notesFull(): boolean {
    const isNew = !this.#isFull;
    this.#isFull = true;
    return isNew;
  }

  toSnapshot(): MetricsSnapshot {
    return {
      metrics: Object.fromEntries([...this.#quantiles].map(([name, values]) => [name, values.toSnapshot()])),
      facts: Object.fromEntries(this.#facts),
      isFull: this.#isFull,
    };
  }
}
