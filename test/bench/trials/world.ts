import type { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";

/** Scripted models, a judge and people. */
export interface World {
  readonly name: string;
  /** How often each model is right in a family of prompts; the first one is base. */
  readonly skills: Readonly<Record<string, (family: number) => number>>;
  readonly families: number;
  /** The chance that a grade of the judge is right, and what it adds to the chance of a good grade by model. */
  readonly accuracy: number;
  readonly favours?: Readonly<Record<string, number>>;
  /** The chance of feedback on an answer. */
  readonly feedbackOn: (isRight: boolean) => number;
  /** Calls by which answers are to be as good as they have to be. */
  readonly calls: number;
}

const always = (skill: number) => () => skill;
const ORDINARY = { base: always(0.6), poor: always(0.4), good: always(0.95) };
const BEST = { base: always(0.95), good: always(0.9), poor: always(0.6) };
/** Each other model is the best of some families, and the worst of the others. */
const MIXED = {
  base: always(0.6),
  even: (family: number) => (family % 2 === 0 ? 0.95 : 0.3),
  odd: (family: number) => (family % 2 === 1 ? 0.95 : 0.3),
};
const SELDOM = () => 0.05;
const COMMON = { families: 1, accuracy: 0.8, feedbackOn: SELDOM, calls: 3000 };

/** The lives of users that shadow trials have to do for. */
export const WORLDS: readonly World[] = [
  { ...COMMON, name: "sparse", skills: ORDINARY },
  { ...COMMON, name: "complaints", skills: ORDINARY, feedbackOn: (isRight) => (isRight ? 0 : 0.1), calls: 6000 },
  { ...COMMON, name: "families", skills: MIXED, families: 10, calls: 6000 },
  { ...COMMON, name: "best-base", skills: BEST, calls: 5000 },
  { ...COMMON, name: "biased-judge", skills: { ...ORDINARY, good: always(0.5) }, favours: { good: 0.3 }, calls: 5000 },
];

/** Returns the mean skill of a model, or of the best model of each family where none is named. */
export function skillIn({ skills, families }: World, model?: string): number {
  let sum = 0;
  for (let family = 0; family < families; family++) {
    const known = model === undefined ? Object.values(skills) : [skills[model] ?? always(0)];
    sum += Math.max(...known.map((skill) => skill(family)));
  }
  return sum / families;
}

/** Instructions that tell a family of prompts. */
export function instructionsOf(family: number): string {
  return `Family ${"abcdefghij"[family]}: answer questions on ${SUBJECTS[family]}, in one sentence.`;
}

const SUBJECTS = ["law", "maths", "tax", "travel", "health", "music", "history", "code", "food", "weather"];

/** What a model says, or how the judge grades; the text tells who is right. */
export function answerIn(world: World, random: SeededRandom, { model, messages }: ScriptedRequest): string {
  const last = messages.at(-1)?.content ?? "";
  if (model === "judge" && last.startsWith("{")) return gradeIn(world, random, last);
  const family = Math.max(0, "abcdefghij".indexOf(/^Family (\w):/.exec(messages[0]?.content ?? "")?.[1] ?? "a"));
  const isRight = random.uniform() < (world.skills[model]?.(family) ?? 0);
  return `${model} says: ${isRight ? "right" : "wrong"}.`;
}

/** A request of the Chat format, as far as scripted models read it. */
export interface ScriptedRequest {
  readonly model: string;
  readonly messages: readonly { readonly content: string }[];
}

function gradeIn({ accuracy, favours = {} }: World, random: SeededRandom, material: string): string {
  const { answer } = JSON.parse(material) as { readonly answer: string };
  const isRight = answer.includes("right");
  const model = /^(\w+) says/.exec(answer)?.[1] ?? "";
  const chance = (isRight ? accuracy : 1 - accuracy) + (favours[model] ?? 0);
  return JSON.stringify({ satisfactory: random.uniform() < chance, reason: "As it says." });
}
