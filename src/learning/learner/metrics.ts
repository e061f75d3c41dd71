import { MetricScale, type MetricScaleSnapshot } from "./metric-scale.ts";

/** Number metrics that a workload learns from at a time. */
const MOST_METRICS = 100;
/** Metrics of which it is known what they are and how much they are used, those of booleans among them. */
const MOST_KNOWN = 200;
/** Once a metric is used so much, the use of all is halved: what many sent long ago gives way as well. */
const MOST_USE = 4096;
/** People are told once a day that names have no place. */
const TELL_AGAIN_MS = 86_400_000;

/** The facts of a metric. */
export interface MetricFacts {
  /** The kind of its latest value, and the direction in which it gets better. */
  readonly kind: "boolean" | "number";
  readonly direction: "max" | "min";
  /** Values that were learned from, and the sum of what they were worth. */
  readonly values: number;
  readonly worth: number;
  /** Votes that named it, each by what its rater's vote counts for; as many as values if absent. */
  readonly use?: number;
}

/** The stored facts of metrics, by name. */
export interface MetricsSnapshot {
  /** Distributions of number metrics. */
  readonly metrics: Readonly<Record<string, MetricScaleSnapshot>>;
  readonly facts: Readonly<Record<string, MetricFacts>>;
  /** When people were last told that there are more metrics than are learned from, in milliseconds since 1970. */
  readonly toldFullAtMs?: number;
}

/** The weight of a value, and its side of the scale. */
type Vote = Pick<MetricValue, "weight" | "isBase">;

/** A value under its name. */
export interface MetricValue {
  readonly name: string;
  readonly value: boolean | number;
  readonly direction: "max" | "min";
  /** The weight of its rater's vote. */
  readonly weight: number;
  /** True of an answer of base. */
  readonly isBase: boolean;
}

/**
 * Turns what is said under a name into what it is worth, from 0 to 1. A workload learns from 100 names of numbers:
 * those that are used the most, by raters whose votes count. A newer name takes the place of the one that is used the
 * least once it is used more.
 */
export class Metrics {
  readonly #scales: Map<string, MetricScale>;
  readonly #facts: Map<string, Required<MetricFacts>>;
  #toldFullAtMs: number | undefined;

  constructor({ metrics, facts, toldFullAtMs }: Partial<MetricsSnapshot> = {}) {
    this.#scales = new Map(Object.entries(metrics ?? {}).map(([name, values]) => [name, new MetricScale(values)]));
    this.#facts = new Map(Object.entries(facts ?? {}).map(([name, each]) => [name, { use: each.values, ...each }]));
    this.#toldFullAtMs = toldFullAtMs;
  }

  /**
   * Returns what a value is worth, and counts it: a number by its distance to those of its metric that came before.
   * Undefined for a number whose metric has no place.
   */
  worthOf({ name, value, direction, ...vote }: MetricValue): number | undefined {
    const known = this.#use(name, vote.weight);
    const position = typeof value === "boolean" ? Number(value) : this.#place(name, value, vote);
    if (position === undefined) return undefined;
    const worth = direction === "min" ? 1 - position : position;
    if (known === undefined) return worth;
    const kind = typeof value === "boolean" ? "boolean" : "number";
    this.#facts.set(name, { ...known, kind, direction, values: known.values + 1, worth: known.worth + worth });
    return worth;
  }

  /** Returns what a value that was counted before is worth now. */
  worthAgain({ name, value, direction }: Omit<MetricValue, keyof Vote>): number | undefined {
    const position = typeof value === "boolean" ? Number(value) : this.#scales.get(name)?.positionOf(value);
    if (position === undefined) return undefined;
    return direction === "min" ? 1 - position : position;
  }

  /** Has a value that was counted, and the use of its name, count for so much more, or for less. */
  reweigh({ name, value, isBase }: Pick<MetricValue, "name" | "value" | "isBase">, more: number): void {
    const known = this.#facts.get(name);
    if (known !== undefined) this.#facts.set(name, { ...known, use: Math.max(0, known.use + more) });
    if (typeof value === "boolean") return;
    if (more > 0) this.#scales.get(name)?.add(value, { weight: more, isBase });
    else this.#scales.get(name)?.remove(value, { weight: -more, isBase });
  }

  /** Returns how much a name is used, by what the votes that named it count for. */
  getUse(name: string): number {
    return this.#facts.get(name)?.use ?? 0;
  }

  /** Takes off a value that was counted, and the use of its name. */
  forget({ name, value, direction, ...vote }: MetricValue): void {
    const known = this.#facts.get(name);
    if (known === undefined) return;
    if (known.values <= 1) {
      this.#facts.delete(name);
      this.#scales.delete(name);
      return;
    }
    // What it was worth then is not known: what it is worth now is near to it.
    const worth = this.worthAgain({ name, value, direction }) ?? known.worth / known.values;
    if (typeof value === "number") this.#scales.get(name)?.remove(value, vote);
    const values = known.values - 1;
    const left = { values, worth: Math.min(values, Math.max(0, known.worth - worth)) };
    this.#facts.set(name, { ...known, ...left, use: Math.max(0, known.use - vote.weight) });
  }

  /** Counts the use of a name; undefined where all others are used more. */
  #use(name: string, weight: number): Required<MetricFacts> | undefined {
    const known = this.#facts.get(name);
    if (known === undefined && this.#facts.size >= MOST_KNOWN) {
      const least = this.#leastUsed(this.#facts.keys());
      if (least.use > weight) return undefined;
      this.#facts.delete(least.name);
      this.#scales.delete(least.name);
    }
    const { use, ...others } = known ?? { kind: "number", direction: "max", values: 0, worth: 0, use: 0 };
    const facts = { ...others, use: use + weight };
    this.#facts.set(name, facts);
    if (facts.use >= MOST_USE) this.#halveUse();
    return facts;
  }

  #place(name: string, value: number, vote: Vote): number | undefined {
    const scale = this.#scales.get(name) ?? this.#begin(name);
    if (scale === undefined) return undefined;
    const position = scale.positionOf(value);
    scale.add(value, vote);
    return position;
  }

  #begin(name: string): MetricScale | undefined {
    if (this.#scales.size >= MOST_METRICS) {
      const least = this.#leastUsed(this.#scales.keys());
      if (least.use >= (this.#facts.get(name)?.use ?? 0)) return undefined;
      this.#scales.delete(least.name);
    }
    const scale = new MetricScale();
    this.#scales.set(name, scale);
    return scale;
  }

  /** Of several, the one that was first. */
  #leastUsed(names: Iterable<string>): { readonly name: string; readonly use: number } {
    let least = { name: "", use: Number.POSITIVE_INFINITY };
    for (const name of names) {
      const use = this.#facts.get(name)?.use ?? 0;
      if (use < least.use) least = { name, use };
    }
    return least;
  }

  #halveUse(): void {
    for (const [name, facts] of this.#facts) this.#facts.set(name, { ...facts, use: facts.use / 2 });
  }

  /** Takes note that there are more metrics than are learned from; returns whether people are to be told of it now. */
  notesFull(atMs: number): boolean {
    if (atMs < (this.#toldFullAtMs ?? Number.NEGATIVE_INFINITY) + TELL_AGAIN_MS) return false;
    this.#toldFullAtMs = atMs;
    return true;
  }

  toSnapshot(): MetricsSnapshot {
    return {
      metrics: Object.fromEntries([...this.#scales].map(([name, scale]) => [name, scale.toSnapshot()])),
      facts: Object.fromEntries(this.#facts),
      ...(this.#toldFullAtMs !== undefined && { toldFullAtMs: this.#toldFullAtMs }),
    };
  }
}
