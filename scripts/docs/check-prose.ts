import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { findPatterns } from "./find-patterns.ts";
import { writtenPages } from "./pages.ts";
import { cellsOf, gradeOf, longSentencesOf, paragraphsOf, sentencesOf, wordsOf } from "./prose.ts";
import type { Outcome } from "./step.ts";

const SITE = join(import.meta.dirname, "site");

/** The highest grade of school that a page may ask of its readers. */
const GRADES: Readonly<Record<string, number>> = {
  Top: 7,
  Tutorials: 6,
  Guides: 7.5,
  Reference: 7.5,
  Concepts: 7.5,
};
/** Words of a sentence, and of a paragraph or an item of a list. */
const MAX_SENTENCE = 45;
const MAX_PARAGRAPH = 110;
/** Characters of a cell of a table. */
const MAX_CELL = 240;
/** Lists all that a tool was asked for, as its run wrote them: nobody reads such a cell from its beginning to its end. */
const LISTS_RUNS = "docs/compatibility.md";

/** Lists words that no dictionary has, and what is harder to read than it may be: pages, sentences, cells. */
export async function checkProse(report: (line: string) => void): Promise<Outcome> {
  const isWord = loadDictionary();
  const pages = writtenPages();
  const findings: string[] = [];
  let count = 0;
  for (const { path, kind, markdown } of pages) {
    const sentences = sentencesOf(markdown);
    const words = sentences.flatMap(wordsOf);
    const grade = gradeOf(sentences);
    const most = GRADES[kind] ?? 9;
    count += words.length;
    report(`${grade.toFixed(1).padStart(4)} ${String(words.length).padStart(5)} words  ${path}`);
    if (grade > most) findings.push(`${path}: reads at grade ${grade.toFixed(1)}, ${most} is allowed`);
    findings.push(...findLong(path, markdown), ...findPatterns(markdown).map((found) => `${path}: ${found}`));
    findings.push(
      ...[...new Set(words)]
        .filter((word) => !isWord(word))
        .map((word) => `${path}: '${word}' is in no dictionary: correct it, or add it to scripts/docs/site/words.txt`),
    );
  }
  return { looked: `${pages.length} pages, ${count} words`, findings };
}

/** Lists what has to be read twice for its length. */
function findLong(path: string, markdown: string): string[] {
  const about = (texts: readonly string[], what: string): string[] =>
    texts.map((text) => `${path}: ${what}: ${text.slice(0, 80)}...`);
  return [
    ...about(longSentencesOf(markdown, MAX_SENTENCE), `a sentence of more than ${MAX_SENTENCE} words`),
    ...about(
      paragraphsOf(markdown).filter((text) => text.split(" ").length > MAX_PARAGRAPH),
      `a paragraph of more than ${MAX_PARAGRAPH} words`,
    ),
    ...about(
      path === LISTS_RUNS ? [] : cellsOf(markdown).filter(({ length }) => length > MAX_CELL),
      `a cell of more than ${MAX_CELL} characters`,
    ),
  ];
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
