import { isLatinProse } from "./function-words.ts";

/** A script that texts are written in. Japanese mixes two with the one of Chinese, and may do without them: all three are one here. */
export type Script = ("latin" | "cyrillic" | "greek" | "arabic" | "hebrew" | "devanagari" | "thai" | "hangul") | "han";

/** Letters of each, and what one of them counts for: where a character is a syllable or a word, fewer say as much. */
const SCRIPTS: readonly (readonly [script: Script, letters: RegExp, weight: number])[] = [
  ["latin", /\p{sc=Latin}+/gu, 1],
  ["cyrillic", /\p{sc=Cyrillic}+/gu, 1],
  ["greek", /\p{sc=Greek}+/gu, 1],
  ["arabic", /\p{sc=Arabic}+/gu, 1],
  ["hebrew", /\p{sc=Hebrew}+/gu, 1],
  ["devanagari", /\p{sc=Devanagari}+/gu, 1],
  ["thai", /\p{sc=Thai}+/gu, 1],
  ["hangul", /\p{sc=Hangul}+/gu, 2],
  ["han", /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu, 3],
];

/** The part of its letters that a text has to have in one script. */
const CLEAR = 0.9;

/** What is no prose of the writer's own: code, quotations, formulas, addresses. None of the patterns looks further than a bounded way. */
const NO_PROSE: readonly RegExp[] = [
  /```[\s\S]*?(?:```|$)/gu,
  /`[^`\n]{0,200}`/gu,
  /^[ \t]*>.*$/gmu,
  /"[^"\n]{0,200}"|“[^”\n]{0,200}”|„[^“”\n]{0,200}[“”]|«[^»\n]{0,200}»|「[^」\n]{0,200}」|『[^』\n]{0,200}』/gu,
  /\$[^$\n]{1,200}\$/gu,
  /(?:https?:\/\/|www\.)\S{1,200}|[\w.+-]{1,60}@[\w.-]{1,60}/gu,
];

/** Returns what a text says in its writer's own words. */
export function proseOf(text: string): string {
  return NO_PROSE.reduce((left, part) => left.replace(part, " "), text);
}

/** Returns the script of a prose with so many letters at least; undefined where it is shorter, or not clearly of one. */
export function scriptOf(prose: string, leastLetters: number): Script | undefined {
  let [total, most] = [0, 0];
  let first: Script | undefined;
  for (const [script, letters, weight] of SCRIPTS) {
    const count = weight * lettersIn(prose, letters);
    total += count;
    if (count > most) [most, first] = [count, script];
  }
  if (first === undefined || most < leastLetters || most < CLEAR * total) return undefined;
  // Commands, queries and languages that are spelled out in these letters are nothing that can be told apart.
  return first === "latin" && !isLatinProse(prose) ? undefined : first;
}

/** Whether a letter of a script is in a text. */
export function hasScript(text: string, script: Script): boolean {
  return SCRIPTS.some(([known, letters]) => known === script && text.search(letters) !== -1);
}

function lettersIn(text: string, letters: RegExp): number {
  let count = 0;
  for (const [run] of text.matchAll(letters)) count += run.length;
  return count;
}
