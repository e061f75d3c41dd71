import { O200K, type Vocabulary } from "./vocabulary.ts";

/** UTF-16 units of a text that are looked at: windows in the middle of equal parts, so that each stands for its part. */
const WINDOW = 64;
export const WINDOWS = 16;

/** Tokens of words by their length, as o200k has them on average in English and code. */
const WORDS = [0, 1, 1, 1, 1, 1.02, 1.05, 1.1, 1.2, 1.3, 1.4, 1.6, 1.8, 2, 2.2];
/** Letters of a longer word, and of letters without sense, that a token holds. */
const LETTERS_PER_TOKEN = 6;
const RANDOM_LETTERS_PER_TOKEN = 1.9;
/** No word is longer. */
const WORD_LENGTH = 20;
/** Equal letters or marks that a token holds. */
const REPEATED_PER_TOKEN = 12;
const BACKSLASH = 92;

/**
 * Estimates the tokens of a text by the kinds of its characters: words, groups of digits, marks and spaces as
 * vocabularies split them, and characters of other scripts by their share of a token. Looks at so many windows of 64 units at most.
 */
export function estimateTextTokens(text: string, vocabulary: Vocabulary = O200K, windows = WINDOWS): number {
  const { length } = text;
  if (length <= WINDOW * windows) return countTokens(text, { from: 0, to: length }, vocabulary);
  const part = length / windows;
  let [tokens, looked] = [0, 0];
  for (let at = 0; at < windows; at += 1) {
    const from = edgeBehind(text, Math.floor(at * part + (part - WINDOW) / 2));
    const to = edgeBehind(text, from + WINDOW);
    tokens += countTokens(text, { from, to }, vocabulary);
    looked += to - from;
  }
  return (tokens * length) / looked;
}

/** A word that a window cuts in two would be a token more: returns where the word or run at a place ends, if it is short. */
function edgeBehind(text: string, at: number): number {
  let edge = at;
  while (edge - at < WORD_LENGTH && edge < text.length && kindAt(text, edge) === kindAt(text, edge - 1)) edge += 1;
  return edge;
}

function kindAt(text: string, at: number): number {
  return KINDS[text.charCodeAt(at)] ?? OTHER;
}

const [OTHER, SPACE, DIGIT, MARK, UPPER, LOWER] = [0, 1, 2, 3, 4, 5];

/** The kind of each code unit of ASCII. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  if (code >= 48 && code <= 57) return DIGIT;
  return code <= 32 ? SPACE : MARK;
});

/** By the five low bits of a letter, which are those of its capital too: a, e, i, o, u and y. */
const VOWELS = Uint8Array.from({ length: 32 }, (_, bits) => ([1, 5, 9, 15, 21, 25].includes(bits) ? 1 : 0));

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Counts the tokens of a stretch of a text. */
function countTokens(text: string, { from, to }: Stretch, vocabulary: Vocabulary): number {
  let tokens = 0;
  let before = SPACE;
  for (let at = from; at < to; ) {
    const code = text.charCodeAt(at);
    const kind = KINDS[code] ?? OTHER;
    const end = kind >= UPPER ? endOfWord(text, at, to) : kind === OTHER ? at + 1 : endOfRun(text, at, to);
    if (kind >= UPPER && end - at > WORD_LENGTH && isRepeated(text, at, end)) tokens += (end - at) / REPEATED_PER_TOKEN;
    else if (kind >= UPPER)
      tokens += wordTokens(end - at, vowelsIn(text, at, end), before >= UPPER || before === DIGIT);
    else if (kind === OTHER) tokens += shareOf(code, vocabulary.hasKnownScripts);
    else if (kind === DIGIT) tokens += Math.ceil((end - at) / vocabulary.digitsPerToken);
    else tokens += runTokens(text, at, end);
    before = kind;
    at = end;
  }
  return tokens;
}

/** A word is capitals and then small letters: HTTPServer is one, and aB is two. */
function endOfWord(text: string, at: number, to: number): number {
  let end = at + 1;
  for (let last = kindAt(text, at); end < to; end += 1) {
    const kind = kindAt(text, end);
    if (kind < last) break;
    last = kind;
  }
  return end;
}

function endOfRun(text: string, at: number, to: number): number {
  const kind = KINDS[text.charCodeAt(at)];
  let end = at + 1;
  while (end < to && KINDS[text.charCodeAt(end)] === kind) end += 1;
  return end;
}

function isRepeated(text: string, at: number, end: number): boolean {
  const [first, second, last] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(end - 1)];
  return first === second && first === last;
}

function vowelsIn(text: string, at: number, end: number): number {
  let vowels = 0;
  for (let index = at; index < end; index += 1) vowels += VOWELS[text.charCodeAt(index) & 31] ?? 0;
  return vowels;
}

/** Returns the tokens of spaces or marks. */
function runTokens(text: string, at: number, end: number): number {
  const [code, length] = [text.charCodeAt(at), end - at];
  const behind = KINDS[text.charCodeAt(end)] ?? OTHER;
  // A single space belongs to the word behind it, and never to digits.
  if (KINDS[code] === SPACE) return length === 1 && code === 32 && behind !== DIGIT ? 0 : 1;
  // Escaped text: the letter behind the last backslash belongs to it, and no longer to a word.
  if (text.charCodeAt(end - 1) === BACKSLASH && behind >= UPPER) return markTokens(length, false, false) + 0.8;
  return markTokens(length, text.charCodeAt(at + 1) === code, behind >= UPPER);
}

/**
 * Letters that few vowels are among are no word, and neither are short ones that change between capitals and small
 * letters: of keys, hashes and encoded bytes.
 */
function wordTokens(length: number, vowels: number, isJoined: boolean): number {
  if (length < 4 && isJoined) return 1 + (length - 1) * 0.8;
  if (length < 3) return 1;
  if (vowels * 5 < length || length > WORD_LENGTH) return Math.max(1, length / RANDOM_LETTERS_PER_TOKEN);
  return WORDS[length] ?? length / LETTERS_PER_TOKEN;
}

/** The last mark before a word belongs to it, as a rule. */
function markTokens(length: number, isRepeated: boolean, isBeforeWord: boolean): number {
  if (isRepeated && length > 3) return Math.ceil(length / REPEATED_PER_TOKEN);
  if (length === 1) return isBeforeWord ? 0.4 : 1;
  return 1 + (length - 2) * 0.3 - (isBeforeWord ? 0.2 : 0);
}

/**
 * The first code unit of each script, with the tokens that a character of it takes with o200k, and the most that it
 * takes with o200k, Tekken or the vocabularies of Qwen 3, DeepSeek V3, Llama 3 and Gemma 3.
 */
const SCRIPTS: readonly (readonly [from: number, tokens: number, most: number])[] = [
  [0x80, 0.4, 0.5], // Latin with marks.
  [0x370, 0.4, 1], // Greek.
  [0x400, 0.24, 0.36], // Cyrillic.
  [0x530, 0.45, 1.9], // Armenian.
  [0x590, 0.45, 1.25], // Hebrew.
  [0x600, 0.31, 0.5], // Arabic.
  [0x900, 0.35, 1.3], // Scripts of India.
  [0xe00, 0.37, 0.55], // Thai.
  [0x1000, 0.43, 2.1], // Burmese, Georgian.
  [0x1100, 0.6, 0.9], // Hangul Jamo.
  [0x1200, 2.2, 3], // Ethiopic.
  [0x1780, 0.67, 3], // Khmer.
  [0x1e00, 0.45, 0.6], // Latin with two marks.
  [0x2000, 0.8, 1.5], // Signs.
  [0x2e80, 0.68, 0.7], // Radicals, punctuation and kana.
  [0x3400, 0.75, 0.88], // Ideographs.
  [0xa4d0, 0.5, 1.5],
  [0xac00, 0.62, 0.85], // Hangul syllables.
  [0xd800, 0.72, 2], // Halves of characters beyond: emoji, rare ideographs.
  [0xe000, 1, 3],
  [0xf900, 0.9, 1.25], // Ideographs for compatibility, full-width forms.
];

function shareOf(code: number, isKnown: boolean): number {
  let share = 1;
  for (const [from, tokens, most] of SCRIPTS) {
    if (code < from) break;
    share = isKnown ? tokens : most;
  }
  return share;
}
