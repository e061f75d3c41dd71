import type { ReplaySet } from "../replay/replay-set.ts";

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
