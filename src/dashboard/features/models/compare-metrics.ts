import type { ModelComparison } from "../../../store/read/queries/compare-models.ts";

/** A mean of one model, with its 95 % confidence interval. */
interface ObservedMean {
  readonly model: string;
  readonly n: number;
  readonly mean: number;
  /** Null where one value says nothing of the spread. */
  readonly low: number | null;
  readonly high: number | null;
}

/** A metric, model by model. */
interface ComparedMetric {
  readonly name: string;
  /** A boolean has shares of true, a float has means. */
  readonly kind: "boolean" | "float";
  /** The direction in which it gets better; null if the feedback does not say. */
  readonly optimize: "max" | "min" | null;
  /** In the order of the models. */
  readonly means: readonly ObservedMean[];
  /** The model whose interval lies beyond those of all others, on the better side; null if there is none. */
  readonly ahead: string | null;
}

/** Puts the metrics of models side by side, those with the most feedback first. Notes have no mean. */
export function compareMetrics(models: readonly ModelComparison[]): ComparedMetric[] {
  const all = models.flatMap(({ model, metrics }) =>
    metrics.flatMap(({ name, kind, optimize, estimate }) =>
      estimate !== undefined && (kind === "boolean" || kind === "float")
        ? [{ name, kind: kind as "boolean" | "float", optimize, observed: observe(model, estimate) }]
        : [],
    ),
  );
  const compared = [...Map.groupBy(all, ({ name, kind }) => JSON.stringify([name, kind])).values()].map((own) => {
    const [{ name, kind } = { name: "", kind: "float" as const }] = own;
    const means = own.map(({ observed }) => observed);
    const optimize = direction(own);
    return { name, kind, optimize, means, ahead: findAhead(means, optimize) };
  });
  const entries = ({ means }: ComparedMetric) => means.reduce((sum, { n }) => sum + n, 0);
  return compared.sort((a, b) => entries(b) - entries(a) || (a.name < b.name ? -1 : 1));
}

type Estimate = NonNullable<ModelComparison["metrics"][number]["estimate"]>;

function observe(model: string, { n, mean, low, high }: Estimate): ObservedMean {
  return { model, n, mean, low: low ?? null, high: high ?? null };
}

/** As most feedback has it, where models disagree. */
function direction(
  own: readonly { readonly optimize: "max" | "min" | undefined; readonly observed: ObservedMean }[],
): "max" | "min" | null {
  const weight = (wanted: string) =>
    own.reduce((sum, { optimize, observed }) => sum + (optimize === wanted ? observed.n : 0), 0);
  const [max, min] = [weight("max"), weight("min")];
  return max + min === 0 ? null : max >= min ? "max" : "min";
}

function findAhead(means: readonly ObservedMean[], optimize: "max" | "min" | null): string | null {
  if (optimize === null || means.length < 2) return null;
  // Turned so that more is better.
  const turned = means.map(({ model, low, high }) => {
    if (low === null || high === null) return { model, low: null, high: null };
    return optimize === "max" ? { model, low, high } : { model, low: -high, high: -low };
  });
  if (turned.some(({ low }) => low === null)) return null;
  const found = turned.find(({ model, low }) =>
    turned.every((other) => other.model === model || (other.high ?? 0) < (low ?? 0)),
  );
  return found?.model ?? null;
}
