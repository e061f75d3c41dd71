/** UTF-16 units of a text that are looked at: windows in the middle of equal parts, so that each stands for its part. */
const WINDOW = 64;
const WINDOWS = 6;

/** Tokens of words by their length, as o200k has them on average in English and code. */
const WORDS = [0, 1, 1, 1, 1, 1.02, 1.05, 1.1, 1.2, 1.3, 1.4, 1.6, 1.8, 2, 2.2];
/** Letters of a longer word, and of letters without sense, that a token holds. */
const LETTERS_PER_TOKEN = 6;
const RANDOM_LETTERS_PER_TOKEN = 2;
const DIGITS_PER_TOKEN = 3;

/**
 * Estimates the tokens of a text by the kinds of its characters: words, digits in groups of three, marks and spaces as
 * o200k splits them, and characters of other scripts by their share of a token. Looks at 384 units at most.
 */
export function estimateTextTokens(text: string): number {
  const { length } = text;
  if (length <= WINDOW * WINDOWS) return countTokens(text, 0, length);
  const part = length / WINDOWS;
  let tokens = 0;
  for (let at = 0; at < WINDOWS; at += 1) {
    const from = Math.floor(at * part + (part - WINDOW) / 2);
    tokens += countTokens(text, from, from + WINDOW);
  }
  return (tokens * length) / (WINDOW * WINDOWS);
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

/** Counts the tokens of a stretch of a text. */
function countTokens(text: string, from: number, to: number): number {
  let tokens = 0;
  let before = SPACE;
  for (let at = from; at < to; ) {
    const code = text.charCodeAt(at);
    const kind = KINDS[code] ?? OTHER;
    const end = kind >= UPPER ? endOfWord(text, at, to) : kind === OTHER ? at + 1 : endOfRun(text, at, to);
    if (kind >= UPPER) tokens += wordTokens(end - at, vowelsIn(text, at, end), before >= UPPER);
    else if (kind === OTHER) tokens += shareOf(code);
    else tokens += runTokens(text, at, end);
    before = kind;
    at = end;
  }
  return tokens;
}

/** A word is capitals and then small letters: HTTPServer is one, and aB is two. */
function endOfWord(text: string, at: number, to: number): number {
  let end = at + 1;
  for (let last = KINDS[text.charCodeAt(at)] ?? OTHER; end < to; end += 1) {
    const kind = KINDS[text.charCodeAt(end)] ?? OTHER;
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

function vowelsIn(text: string, at: number, end: number): number {
  let vowels = 0;
  for (let index = at; index < end; index += 1) vowels += VOWELS[text.charCodeAt(index) & 31] ?? 0;
  return vowels;
}

/** Returns the tokens of digits, spaces or marks. */
function runTokens(text: string, at: number, end: number): number {
  const [code, length] = [text.charCodeAt(at), end - at];
  const behind = KINDS[text.charCodeAt(end)] ?? OTHER;
  switch (KINDS[code]) {
    case DIGIT:
      return Math.ceil(length / DIGITS_PER_TOKEN);
    case SPACE:
      // A single space belongs to the word behind it, and never to digits.
      return length === 1 && code === 32 && behind !== DIGIT ? 0 : 1;
    default:
      return markTokens(length, text.charCodeAt(at + 1) === code, behind >= UPPER);
  }
}

/**
 * Letters that few vowels are among are no word, and neither are short ones that change between capitals and small
 * letters: of keys, hashes and encoded bytes.
 */
function wordTokens(length: number, vowels: number, isJoined: boolean): number {
  if (length < 4 && isJoined) return 1 + (length - 1) * 0.5;
  if (length < 3) return 1;
  if (vowels * 5 < length) return Math.max(1, length / RANDOM_LETTERS_PER_TOKEN);
  return WORDS[length] ?? length / LETTERS_PER_TOKEN;
}

/** The last mark before a word belongs to it, as a rule. */
function markTokens(length: number, isRepeated: boolean, isBeforeWord: boolean): number {
  if (isRepeated && length > 3) return Math.ceil(length / 12);
  if (length === 1) return isBeforeWord ? 0.4 : 1;
  return 1 + (length - 2) * 0.3 - (isBeforeWord ? 0.2 : 0);
}

/** The first code unit of each script, with the tokens that a character of it takes with o200k. */
const SCRIPTS: readonly (readonly [from: number, tokens: number])[] = [
  [0x80, 0.45], // Latin with marks.
  [0x370, 0.3], // Greek, Cyrillic.
  [0x590, 0.36], // Hebrew, Arabic.
  [0x900, 0.35], // Scripts of India.
  [0xe00, 0.39], // Thai.
  [0x1100, 0.6], // Hangul Jamo.
  [0x1200, 0.5],
  [0x2000, 0.8], // Signs.
  [0x2e80, 0.7], // Radicals, punctuation and kana.
  [0x3400, 0.72], // Ideographs.
  [0xa4d0, 0.5],
  [0xac00, 0.56], // Hangul syllables.
  [0xd800, 0.68], // Halves of characters beyond: emoji, rare ideographs.
  [0xe000, 1],
  [0xf900, 0.8], // Ideographs for compatibility, full-width forms.
];

function shareOf(code: number): number {
  let share = 1;
  for (const [from, tokens] of SCRIPTS) {
    if (code < from) break;
    share = tokens;
  }
  return share;
}
