/** The paragraphs and items of lists of a Markdown page, without code, tables, headings and links' targets. */
export function paragraphsOf(markdown: string): string[] {
  return withoutCode(markdown)
    .replace(/^(\||#|<).*$/gm, "")
    .replace(/`[^`]*`/g, "code")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\*{1,2}/g, "")
    .replace(/[\w./-]+\.(?:md|json|yaml|cpp)\b/g, "file")
    .split(/\n\s*\n|^ *(?:[-*]|\d+\.) /m)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter((paragraph) => /[a-z]/i.test(paragraph));
}

/** The sentences of a page. What stands before a colon or a semicolon counts as one. */
export function sentencesOf(markdown: string): string[] {
  return splitAt(markdown, /(?<=[.:;?!])\s+(?=[A-Z"(`])/);
}

/** The sentences of more words than that, up to their full stops. */
export function longSentencesOf(markdown: string, words: number): string[] {
  return splitAt(markdown, /(?<=[.?!])\s+/).filter((sentence) => sentence.split(" ").length > words);
}

function splitAt(markdown: string, end: RegExp): string[] {
  return paragraphsOf(markdown).flatMap((paragraph) =>
    paragraph.split(end).filter((sentence) => /[a-z]/i.test(sentence)),
  );
}

/** The cells of a page's tables, without links' targets. */
export function cellsOf(markdown: string): string[] {
  const rows = withoutCode(markdown).match(/^\|.*$/gm) ?? [];
  return rows.flatMap((row) => row.split(/(?<!\\)\|/)).map((cell) => cell.trim().replace(/\]\([^)]*\)/g, "]"));
}

/** Returns a page without its blocks of code. */
export function withoutCode(markdown: string): string {
  return markdown.replace(/^ *```.*?^ *```/gms, "");
}

export function wordsOf(sentence: string): string[] {
  return sentence.match(/(?<![\w])[A-Za-z]+(?:['’][a-z]+)?/g) ?? [];
}

/**
 * The grade of school at which a text is understood: Kincaid and others, "Derivation of new readability formulas"
 * (1975).
 */
export function gradeOf(sentences: readonly string[]): number {
  const words = sentences.flatMap(wordsOf);
  const syllables = words.reduce((sum, word) => sum + syllablesIn(word), 0);
  if (words.length === 0) return 0;
  return 0.39 * (words.length / sentences.length) + 11.8 * (syllables / words.length) - 15.59;
}

/** Groups of vowels, without the silent e at the end: right for nine English words in ten. */
function syllablesIn(word: string): number {
  const text = word.toLowerCase().replace(/(?:[^laeiouy]es|[^dt]ed|[^laeiouy]e)$/, "");
  return Math.max(1, text.match(/[aeiouy]+/g)?.length ?? 1);
}
