/** The sentences of a Markdown page, without code, tables, headings, links' targets and list marks. */
export function sentencesOf(markdown: string): string[] {
  const paragraphs = markdown
    .replace(/^ *```.*?^ *```/gms, "")
    .replace(/^(\||#|<).*$/gm, "")
    .replace(/`[^`]*`/g, "code")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\*{1,2}/g, "")
    .replace(/[\w./-]+\.(?:md|json|yaml|cpp)\b/g, "file")
    .split(/\n\s*\n|^ *(?:[-*]|\d+\.) /m);
  return paragraphs.flatMap((paragraph) =>
    paragraph
      .replace(/\s+/g, " ")
      .split(/(?<=[.:;?!])\s+(?=[A-Z"(`])/)
      .map((sentence) => sentence.trim())
      .filter((sentence) => /[a-z]/i.test(sentence)),
  );
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
