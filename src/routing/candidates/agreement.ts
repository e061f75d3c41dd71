import type { JudgedAnswer } from "../../inference/ports.ts";

/**
 * Tells how far two answers agree, from 0 to 1: wholly or not at all where one of them comes to a conclusion, else by
 * the words that they have in common (the coefficient of Dice: twice those in both, over those of each).
 */
export function measureAgreement(one: JudgedAnswer, other: JudgedAnswer): number {
  if (one.conclusion !== undefined || other.conclusion !== undefined)
    return one.conclusion === other.conclusion ? 1 : 0;
  let common = 0;
  for (const [word, count] of one.words) common += Math.min(count, other.words.get(word) ?? 0);
  const both = getTotal(one.words) + getTotal(other.words);
  return both === 0 ? 0 : (2 * common) / both;
}

function getTotal(words: JudgedAnswer["words"]): number {
  let total = 0;
  for (const count of words.values()) total += count;
  return total;
}

/** Returns how far an answer agrees with others on average; 0 where there are none. */
export function agreementWith(answer: JudgedAnswer, all: readonly JudgedAnswer[]): number {
  const agreements = all.flatMap((other) => (other === answer ? [] : [measureAgreement(answer, other)]));
  if (agreements.length === 0) return 0;
  // Sorted, so that the sum is the same to the last bit in whatever order they came.
  return agreements.sort((a, b) => a - b).reduce((sum, agreement) => sum + agreement, 0) / agreements.length;
}
