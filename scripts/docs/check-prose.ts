import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { writtenPages } from "./pages.ts";
import { gradeOf, sentencesOf, wordsOf } from "./prose.ts";

const SITE = join(import.meta.dirname, "site");

/** The highest grade of school that a page may ask of its readers. */
const GRADES: Readonly<Record<string, number>> = { Top: 9, Tutorials: 8, Guides: 9, Reference: 9, Explanation: 11 };

/** Lists words that no dictionary has, and pages that are harder to read than their kind may be. */
export async function checkProse(): Promise<string[]> {
  const isWord = loadDictionary();
  const graded = writtenPages().map((page) => ({ ...page, sentences: sentencesOf(page.markdown) }));
  const hard = graded.flatMap(({ path, kind, sentences }) => {
    const grade = gradeOf(sentences);
    console.log(`${grade.toFixed(1).padStart(4)}  ${path}`);
    const most = GRADES[kind] ?? 9;
    return grade > most
      ? [`${path}: reads at grade ${grade.toFixed(1)}, ${most} are allowed: shorten its sentences`]
      : [];
  });
  const misspelt = graded.flatMap(({ path, sentences }) =>
    [...new Set(sentences.flatMap(wordsOf))]
      .filter((word) => !isWord(word))
      .map((word) => `${path}: '${word}' is in no dictionary: correct it, or add it to scripts/docs/site/words.txt`),
  );
  return [...hard, ...misspelt];
}

function loadDictionary(): (word: string) => boolean {
  const require = createRequire(join(SITE, "package.json"));
  const folder = join(require.resolve("dictionary-en"), "..");
  const nspell = require("nspell") as (aff: Buffer, dic: Buffer) => { correct(word: string): boolean };
  const spelling = nspell(readFileSync(join(folder, "index.aff")), readFileSync(join(folder, "index.dic")));
  const known = new Set(readFileSync(join(SITE, "words.txt"), "utf8").toLowerCase().split("\n"));
  return (word) => {
    return spelling.correct(word) || known.has(word.replace(/['’]s?$/, "").toLowerCase());
  };
}
