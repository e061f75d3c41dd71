import type { Metric, MetricValue, MetricValueWithName, Registry } from "prom-client";

/** What is summed up, and by which labels. */
export interface SumsOptions<Names extends readonly string[]> {
  readonly registry: Registry;
  readonly name: string;
  readonly help: string;
  readonly labelNames: Names;
}

/** A value for each name. */
type ValuesOf<Names> = { readonly [At in keyof Names]: string };

type Labels = Record<string, string | number>;

/**
 * Sums of a metric by the values of its labels. prom-client checks, sorts and joins the labels' names at each count, which takes a
 * microsecond and a half; here they are put to the values when the page is asked for.
 */
class Series<T> {
  readonly #names: readonly string[];
  readonly #make: () => T;
  readonly #known = new Map<string, { readonly labels: Labels; readonly sums: T }>();

  constructor(names: readonly string[], make: () => T) {
    this.#names = names;
    this.#make = make;
  }

  /** Returns the sums of these values, which are in the order of the labels' names. */
  of(values: readonly string[]): T {
    const key = values.join("\0");
    const known = this.#known.get(key);
    if (known !== undefined) return known.sums;
    const labels = Object.fromEntries(this.#names.map((name, at) => [name, values[at] ?? ""]));
    const sums = this.#make();
    this.#known.set(key, { labels, sums });
    return sums;
  }

  /** Returns all values as prom-client writes them. */
  tell<V>(told: (sums: T, labels: Labels) => readonly V[]): V[] {
    return [...this.#known.values()].flatMap(({ labels, sums }) => told(sums, labels));
  }
}

/** Registers a counter. What it returns adds an amount for the values of its labels, in the order of their names. */
export function createCounter<const Names extends readonly string[]>(
  options: SumsOptions<Names>,
): (amount: number, ...values: ValuesOf<Names>) => void {
  const series = new Series(options.labelNames, () => ({ value: 0 }));
  register(options, "counter", () => series.tell(({ value }, labels) => [{ labels, value }]));
  return (amount, ...values) => {
    series.of(values).value += amount;
  };
}

/** A histogram's sums; each bucket has what none of the smaller ones has. */
interface Observed {
  readonly buckets: number[];
  count: number;
  sum: number;
}

/** Registers a histogram with the upper bounds of its buckets, in order. What it returns takes a value into account. */
export function createHistogram<const Names extends readonly string[]>(
  options: SumsOptions<Names> & { readonly buckets: readonly number[] },
): (value: number, ...values: ValuesOf<Names>) => void {
  const { name, labelNames, buckets: bounds } = options;
  const series = new Series<Observed>(labelNames, () => ({ buckets: bounds.map(() => 0), count: 0, sum: 0 }));
  const tell = (observed: Observed, labels: Labels): MetricValueWithName<string>[] => {
    let below = 0;
    const buckets = bounds.map((le, at) => {
      below += observed.buckets[at] ?? 0;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: below };
    });
    return [
      ...buckets,
      { metricName: `${name}_bucket`, labels: { le: "+Inf", ...labels }, value: observed.count },
      { metricName: `${name}_sum`, labels, value: observed.sum },
      { metricName: `${name}_count`, labels, value: observed.count },
    ];
  };
  register(options, "histogram", () => series.tell(tell));
  return (value, ...values) => {
    const observed = series.of(values);
    observed.count += 1;
    observed.sum += value;
    const at = bounds.findIndex((bound) => value <= bound);
    if (at !== -1) observed.buckets[at] = (observed.buckets[at] ?? 0) + 1;
  };
}

/** Has a registry tell of sums that it does not hold. */
function register(
  { registry, name, help }: SumsOptions<readonly string[]>,
  type: "counter" | "histogram",
  values: () => MetricValue<string>[],
): void {
  const metric = {
    ...{ name, help, type },
    get: async () => ({ name, help, type, aggregator: "sum", values: values() }),
    reset: () => {},
  };
  // A registry asks its metrics for no more than this; its type names the classes that have it.
  registry.registerMetric(metric as unknown as Metric);
}
