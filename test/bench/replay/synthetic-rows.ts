import { MersenneTwister } from "./mersenne-twister.ts";

export interface Row {
  readonly dataset: string;
  readonly prompt_id: string;
  readonly prompt: string;
  readonly scores: Readonly<Record<string, number>>;
  readonly cost?: Readonly<Record<string, number>>;
}

/** How well each model does each task; "plain" is the median and "wide" the best of all. */
const SKILLS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  maths: { weak: 0.2, plain: 0.4, narrow: 0.95, wide: 0.8, poor: 0.1 },
  trivia: { weak: 0.2, plain: 0.6, narrow: 0.3, wide: 0.8, poor: 0.1 },
  code: { weak: 0.3, plain: 0.5, narrow: 0.4, wide: 0.9, poor: 0.1 },
};
const WORDS: Readonly<Record<string, string>> = {
  maths: "Solve the equation for x and give the sum of its roots",
  trivia: "Who was the painter that lived in the city in that century?",
  code: "def solve(items):\n    # return the list without duplicates\n",
};

/** Rows whose scores are 0 or 1 by chance, the same for the same seed. */
export function syntheticRows(count: number, seed = 1): Row[] {
  const random = new MersenneTwister(seed);
  const tasks = Object.keys(SKILLS);
  return Array.from({ length: count }, (_, index) => {
    const dataset = tasks[random.upTo(2)] ?? "maths";
    const skills = Object.entries(SKILLS[dataset] ?? {});
    return {
      dataset,
      prompt_id: String(index),
      prompt: `${WORDS[dataset]} ${random.upTo(999)}`,
      scores: Object.fromEntries(skills.map(([model, skill]) => [model, random.uniform() < skill ? 1 : 0])),
      cost: Object.fromEntries(skills.map(([model], place) => [model, 0.001 * (place + 1)])),
    };
  });
}

export function toLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
