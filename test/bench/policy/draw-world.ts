import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import type { ReplaySet } from "../replay/replay-set.ts";

/** The values that scores of a world may have. */
type Scale = "right or wrong" | "stars" | "0 to 100";

/** The form of a world: the differences between real workloads. */
interface WorldForm {
  readonly rows: number;
  readonly families: number;
  readonly models: number;
  /** The mean score of the most skilled model. */
  readonly best: number;
  /** The correlation of scores of two models in one row. */
  readonly correlation: number;
  /** The part of the differences between models that is the same in all families, 0 to 1. */
  readonly dominance: number;
  readonly scale: Scale;
  /** The price of the most expensive model, in prices of the cheapest. */
  readonly priceSpan: number;
}

/** The feedback and the judge of a world; scenarios of their own have others. */
interface WorldLife {
  /** The share of the answers that get feedback; where people only complain, of the bad ones. */
  readonly observed: number;
  readonly isComplaintsOnly: boolean;
  readonly judge: number;
  /** Standard deviations, over models and over models and families, of what is added to the chance of a good grade. */
  readonly biasSd: number;
  readonly familyBiasSd: number;
  /** The step from which on the order of models is mirrored. */
  readonly driftAt: number | undefined;
}

export interface World {
  readonly name: string;
  readonly form: WorldForm;
  readonly life: WorldLife;
  readonly set: ReplaySet;
}

const SCALES: readonly Scale[] = ["right or wrong", "right or wrong", "stars", "0 to 100"];
/** The standard deviation of models' means, and of a family's level. */
const MODEL_SD = 0.12;
const LEVEL_SD = 0.1;
/** The standard deviation of one score within a family, where scores are grades. */
const SCORE_SD = 0.2;
const MOST_ROWS = 10_000;

/** Draws a world by its number: the same number gives the same world. `mostRows` makes small ones. */
export function drawWorld(number: number, mostRows = MOST_ROWS): World {
  const random = new SeededRandom(number + 3_000_000);
  const form = drawForm(random, mostRows);
  const life = drawLife(random, form);
  const set = drawRows(random, form);
  const kind = form.scale === "right or wrong" ? "0/1" : form.scale;
  const name = `${number}: ${form.rows} rows, ${form.families} families, ${form.models} models, best ${form.best.toFixed(2)}, ${kind}`;
  return { name, form, life, set };
}

function between(random: SeededRandom, least: number, most: number): number {
  return least + (most - least) * random.uniform();
}

/** Draws a number whose logarithm is uniform. */
function logBetween(random: SeededRandom, least: number, most: number): number {
  return Math.exp(between(random, Math.log(least), Math.log(most)));
}

function drawForm(random: SeededRandom, mostRows: number): WorldForm {
  return {
    rows: Math.round(logBetween(random, 700, mostRows)),
    families: Math.round(logBetween(random, 1, 31)),
    models: 2 + Math.floor(11 * random.uniform()),
    best: between(random, 0.55, 0.95),
    correlation: between(random, 0.1, 0.6),
    dominance: random.uniform(),
    scale: SCALES[Math.floor(SCALES.length * random.uniform())] ?? "stars",
    priceSpan: logBetween(random, 1, 40),
  };
}

function drawLife(random: SeededRandom, { rows }: WorldForm): WorldLife {
  return {
    observed: logBetween(random, 0.01, 1),
    isComplaintsOnly: random.uniform() < 0.15,
    judge: between(random, 0.5, 0.95),
    biasSd: between(random, 0, 0.1),
    familyBiasSd: between(random, 0, 0.05),
    driftAt: random.uniform() < 0.15 ? Math.round(Math.min(5000, rows) / 2) : undefined,
  };
}

function drawRows(random: SeededRandom, form: WorldForm): ReplaySet {
  const { rows, families, models } = form;
  const means = drawMeans(random, form);
  const sizes = Array.from({ length: families }, () => logBetween(random, 1, 20));
  const prices = Array.from({ length: models }, () => 0.001 * logBetween(random, 1, form.priceSpan));
  const scores = new Float64Array(rows * models);
  const costs = new Float64Array(rows * models);
  const familyOf = Int32Array.from({ length: rows }, () => drawIndex(random, sizes));
  for (let row = 0; row < rows; row++) {
    const difficulty = random.normal();
    const length = logBetween(random, 0.5, 2);
    for (let model = 0; model < models; model++) {
      const own = Math.sqrt(form.correlation) * difficulty + Math.sqrt(1 - form.correlation) * random.normal();
      scores[row * models + model] = scoreOf(form.scale, means[(familyOf[row] ?? 0) * models + model] ?? 0, own);
      costs[row * models + model] = length * (prices[model] ?? 0);
    }
  }
  return {
    models: Array.from({ length: models }, (_, model) => `model-${model}`),
    families: Array.from({ length: families }, (_, family) => `family-${family}`),
    familyOf,
    prompts: Array.from(familyOf, (family) => `A question of family ${family}`),
    scores,
    costs,
  };
}

/** Draws the mean of each model in each family, family by family. */
function drawMeans(random: SeededRandom, { families, models, best, dominance }: WorldForm): number[] {
  const skills = Array.from({ length: models }, () => MODEL_SD * Math.sqrt(dominance) * random.normal());
  const most = Math.max(...skills);
  return Array.from({ length: families }, () => {
    const level = best + (families === 1 ? 0 : LEVEL_SD * random.normal());
    return skills.map((skill) => {
      const own = MODEL_SD * Math.sqrt(1 - dominance) * random.normal();
      return Math.min(0.98, Math.max(0.05, level + skill - most + own));
    });
  }).flat();
}

/** Returns a score of mean `mean`, given how lucky a model was in a row: a draw from the normal distribution. */
function scoreOf(scale: Scale, mean: number, luck: number): number {
  if (scale === "right or wrong") return normalShare(-luck) < mean ? 1 : 0;
  const score = Math.min(1, Math.max(0, mean + SCORE_SD * luck));
  return scale === "stars" ? Math.round(4 * score) / 4 : Math.round(100 * score) / 100;
}

/** The share of the normal distribution below a value, by a logistic curve that is off by 0.01 at most. */
function normalShare(value: number): number {
  return 1 / (1 + Math.exp(-1.702 * value));
}

function drawIndex(random: SeededRandom, weights: readonly number[]): number {
  let left = random.uniform() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return index;
  }
  return weights.length - 1;
}
