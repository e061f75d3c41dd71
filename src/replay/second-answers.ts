import type { MersenneTwister } from "./mersenne-twister.ts";
import type { ReplaySet } from "./replay-set.ts";

/** Returns how good a further answer of a model to a row's prompt is, where the first was as good as the rows say. */
export type SecondAnswer = (row: number, model: number) => number;

/**
 * Makes up further answers, which rows do not have: as good as the first with a chance of `correlation`, else as good
 * as the model's answer to another prompt of the family, drawn anew. Then each is distributed as the first one is in
 * its family, and the scores of two answers to one prompt correlate by that much. Of 0 and 1 every pair that can be
 * exchanged and correlates so is distributed like this; how much answers correlate, rows cannot tell.
 */
export function createSecondAnswers(set: ReplaySet, correlation: number, random: MersenneTwister): SecondAnswer {
  const rowsOf: number[][] = set.families.map(() => []);
  for (const [row, family] of set.familyOf.entries()) rowsOf[family]?.push(row);
  const scoreOf = (row: number, model: number): number => set.scores[row * set.models.length + model] ?? 0;
  return (row, model) => {
    if (random.uniform() < correlation) return scoreOf(row, model);
    const alike = rowsOf[set.familyOf[row] ?? 0] ?? [row];
    return scoreOf(alike[Math.floor(random.uniform() * alike.length)] ?? row, model);
  };
}

/**
 * Returns by how much the scores of a model in a family correlate at least from one answer to the next: by what the
 * other models' scores tell of a prompt, which holds for both answers.
 */
export function leastCorrelation(set: ReplaySet, family: number, model: number): number {
  const count = set.models.length;
  const pairs = [...set.familyOf.entries()].flatMap(([row, of]) => {
    if (of !== family) return [];
    const scores = set.scores.subarray(row * count, (row + 1) * count);
    const own = scores[model] ?? 0;
    return [[own, (scores.reduce((sum, score) => sum + score, 0) - own) / Math.max(1, count - 1)] as const];
  });
  const mean = (of: (pair: readonly [number, number]) => number): number =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [own, others] = [mean(([one]) => one), mean(([, other]) => other)];
  const together = mean(([one, other]) => (one - own) * (other - others));
  const spreads = mean(([one]) => (one - own) ** 2) * mean(([, other]) => (other - others) ** 2);
  return spreads > 0 ? together ** 2 / spreads : 0;
}
