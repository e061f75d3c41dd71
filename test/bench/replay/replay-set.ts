/** Rows of a replay: prompts, each with the score and the price of every model. */
export interface ReplaySet {
  readonly models: readonly string[];
  readonly families: readonly string[];
  /** Per row: the index of its family, and its prompt. */
  readonly familyOf: Int32Array;
  readonly prompts: readonly string[];
  /** Row by row, model by model: from 0 to 1. */
  readonly scores: Float64Array;
  /** The same in US dollars per request; undefined where the rows have no cost. */
  readonly costs: Float64Array | undefined;
}

export function rowCount(set: ReplaySet): number {
  return set.familyOf.length;
}

/** The mean score of each model over all rows. */
export function meanScores(set: ReplaySet): number[] {
  const count = set.models.length;
  const sums = new Array<number>(count).fill(0);
  for (let cell = 0; cell < set.scores.length; cell++) {
    sums[cell % count] = (sums[cell % count] ?? 0) + (set.scores[cell] ?? 0);
  }
  return sums.map((sum) => sum / rowCount(set));
}

/** The models' indices from the worst to the best mean score. */
export function rankedModels(set: ReplaySet): number[] {
  const means = meanScores(set);
  return means.map((_, model) => model).sort((a, b) => (means[a] ?? 0) - (means[b] ?? 0) || a - b);
}

/** The model that is best in each family, in hindsight. */
export function bestByFamily(set: ReplaySet): Int32Array {
  const count = set.models.length;
  const sums = new Float64Array(set.families.length * count);
  for (let row = 0; row < rowCount(set); row++) {
    const family = set.familyOf[row] ?? 0;
    for (let model = 0; model < count; model++) {
      sums[family * count + model] = (sums[family * count + model] ?? 0) + (set.scores[row * count + model] ?? 0);
    }
  }
  return Int32Array.from(set.families, (_, family) => {
    let best = 0;
    for (let model = 1; model < count; model++) {
      if ((sums[family * count + model] ?? 0) > (sums[family * count + best] ?? 0)) best = model;
    }
    return best;
  });
}

/**
 * Returns the index of the model that is named, or that is the `best` or the `median` by mean score: of two in the
 * middle the worse one, since nothing can be gained on the best. Throws if there is none.
 */
export function findBase(set: ReplaySet, name: string): number {
  const ranked = rankedModels(set);
  if (name === "best") return ranked.at(-1) ?? 0;
  if (name === "median") return ranked[(ranked.length - 1) >> 1] ?? 0;
  const index = set.models.indexOf(name);
  if (index < 0) throw new RangeError(`there is no model ${name}; the rows have ${set.models.join(", ")}`);
  return index;
}

/** A model's answer to a row. */
export interface Answer {
  readonly score: number;
  readonly price: number | undefined;
}

/** Returns the answer of a model to a row. */
export function answerOf({ models, scores, costs }: ReplaySet, row: number, model: number): Answer {
  const cell = row * models.length + model;
  return { score: scores[cell] ?? 0, price: costs?.[cell] };
}
