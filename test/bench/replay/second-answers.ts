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
