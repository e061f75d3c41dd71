import { ProseCounter } from "./prose-counter.ts";
import { getShare, getShareOfCapital } from "./script-shares.ts";
import { O200K, type Vocabulary } from "./vocabulary.ts";

/**
 * UTF-16 units of a text that are looked at: windows in the middle of equal parts, so that each stands for its part.
 */
const WINDOW = 64;
export const WINDOWS = 16;

/** Tokens of words by their length, as o200k has them on average in English and code. */
const WORDS = [0, 1, 1, 1, 1, 1.02, 1.05, 1.1, 1.2, 1.3, 1.4, 1.6, 1.8, 2, 2.2];
/** Letters of a longer word, and of letters without sense, that a token holds. */
const LETTERS_PER_TOKEN = 6;
const COMPOUND_LETTERS_PER_TOKEN = 3.9;
const RANDOM_LETTERS_PER_TOKEN = 1.9;
const RANDOM_CAPITALS_PER_TOKEN = 1.75;
const RANDOM_CAPITALS_BESIDE_DIGITS_PER_TOKEN = 1.6;
/** No word is longer. */
const WORD_LENGTH = 20;
/** Equal marks, and equal letters, that a token holds; Tekken has two letters of a kind. */
const REPEATED_PER_TOKEN = 12;
const REPEATED_LETTERS_PER_TOKEN = 8;
const BACKSLASH = 92;

/**
 * Estimates the tokens of a text by the kinds of its characters: words, groups of digits, marks and spaces as
 * vocabularies split them, and characters of other scripts by their share of a token. Looks at so many windows of 64
 * units at most.
 */
export function estimateTextTokens(text: string, vocabulary: Vocabulary = O200K, windows = WINDOWS): number {
  const { length } = text;
  const prose = new ProseCounter(text, vocabulary.hasKnownScripts);
  const counting = { vocabulary, prose };
  if (length <= WINDOW * windows) return countTokens(text, { from: 0, to: length }, counting) + prose.further();
  const part = length / windows;
  let [tokens, looked] = [0, 0];
  for (let at = 0; at < windows; at += 1) {
    const from = edgeBehind(text, Math.floor(at * part + (part - WINDOW) / 2));
    const to = edgeBehind(text, from + WINDOW);
    tokens += countTokens(text, { from, to }, counting);
    looked += to - from;
  }
  return ((tokens + prose.further()) * length) / looked;
}

/**
 * A word that a window cuts in two would be a token more: returns where the word or run at a place ends, if it is
 * short.
 */
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

interface Counting {
  readonly vocabulary: Vocabulary;
  readonly prose: ProseCounter;
}

/** Counts the tokens of a stretch of a text. */
function countTokens(text: string, { from, to }: Stretch, { vocabulary, prose }: Counting): number {
  let tokens = 0;
  let before = SPACE;
  for (let at = from; at < to; ) {
    const code = text.charCodeAt(at);
    const kind = KINDS[code] ?? OTHER;
    const syllable = prose.isVietnamese ? endOfSyllable(text, at, to) : at;
    if (syllable > at) {
      tokens += vocabulary.hasKnownScripts ? 1.05 : 1.4;
      before = OTHER;
      at = syllable;
      continue;
    }
    const end = kind >= UPPER ? endOfWord(text, at, to) : kind === OTHER ? at + 1 : endOfRun(text, at, to);
    if (kind >= UPPER) {
      const ofWord = lettersTokens(text, { from: at, to: end }, before, vocabulary);
      tokens += ofWord;
      if (kindAt(text, end - 1) === LOWER && end - at <= WORD_LENGTH) prose.add(text, { from: at, to: end }, ofWord);
    } else if (kind === OTHER) tokens += otherTokens(text, at, vocabulary, prose);
    else if (kind === DIGIT) tokens += Math.ceil((end - at) / vocabulary.digitsPerToken);
    else tokens += runTokens(text, at, end);
    before = kind;
    at = end;
  }
  return tokens;
}

/** Counts a code unit that is not of ASCII. */
function otherTokens(text: string, at: number, { hasKnownScripts: isKnown }: Vocabulary, prose: ProseCounter): number {
  const code = text.charCodeAt(at);
  const ofCapital = code < 0x430 && getShareOfCapital(code, text.charCodeAt(at + 1), text.charCodeAt(at - 1), isKnown);
  return ofCapital || getShare(code, isKnown, prose);
}

function lettersTokens(text: string, { from, to }: Stretch, before: number, vocabulary: Vocabulary): number {
  const length = to - from;
  if (length > WORD_LENGTH && isRepeated(text, from, to))
    return length / (vocabulary.hasKnownScripts ? REPEATED_LETTERS_PER_TOKEN : 2);
  const vowels = vowelsIn(text, from, to);
  if (kindAt(text, from) !== UPPER || kindAt(text, to - 1) !== UPPER)
    return wordTokens(length, vowels, before >= UPPER || before === DIGIT, isCompound(text, { from, to }, vowels));
  if (length > 2 && before === DIGIT) return Math.max(1, length / RANDOM_CAPITALS_BESIDE_DIGITS_PER_TOKEN);
  if (isAmongCommas(text, from, to)) return Math.max(1, length / RANDOM_CAPITALS_PER_TOKEN) + 0.35;
  if (length <= 3) return wordTokens(length, vowels, before >= UPPER || before === DIGIT);
  return capitalTokens(length, vowels, vocabulary) + (before === MARK ? 0.5 : 0);
}

/** Returns where a word of Latin letters ends that has a letter with marks; `at` where there is none. */
function endOfSyllable(text: string, at: number, to: number): number {
  let end = at;
  let hasMarks = false;
  for (; end < to && end - at < WORD_LENGTH; end += 1) {
    const code = text.charCodeAt(end);
    const isMarked = (code >= 0xc0 && code < 0x1b1) || (code >= 0x1ea0 && code < 0x1efa);
    if (!isMarked && (KINDS[code] ?? OTHER) < UPPER) break;
    hasMarks ||= isMarked;
  }
  return hasMarks ? end : at;
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
  if (KINDS[code] === SPACE) {
    if (length > 1) return spaceTokens(text, at, end);
    return code === 32 && behind !== DIGIT ? 0 : 1;
  }
  // Escaped text: the letter behind the last backslash belongs to it, and no longer to a word.
  if (text.charCodeAt(end - 1) === BACKSLASH && behind >= UPPER) return markTokens(length, false, false) + 0.8;
  // A space goes to the mark behind it, which no word gets then.
  if (length === 1 && text.charCodeAt(at - 1) === 32) return 1;
  const same = length > 4 && text.charCodeAt(at + 1) === code ? endOfSame(text, at, end) : end;
  // Cells without a value: `,,,,"",,`.
  if (end - same > 2 && same - at > 3) return markTokens(same - at, true, false) + runTokens(text, same, end);
  const further = length > 4 && marksIn(text, at, end) > 4 ? (length - 4) * 0.55 : 0;
  return markTokens(length, text.charCodeAt(at + 1) === code, behind >= UPPER) + further;
}

/** Equal spaces, and equal tabs or line breaks, that a token holds. */
const SPACES_PER_TOKEN = 80;
const BREAKS_PER_TOKEN = 16;
const SPACE_CODE = 32;

/** Counts a run of spaces, tabs and line breaks: a token for each line, with the tabs before its end. */
function spaceTokens(text: string, at: number, end: number): number {
  let [tokens, changes] = [0, 0];
  for (let from = at; from < end; changes += 1) {
    const code = text.charCodeAt(from);
    const to = endOfSame(text, from, end);
    tokens += Math.ceil((to - from) / (code === SPACE_CODE ? SPACES_PER_TOKEN : BREAKS_PER_TOKEN));
    from = to;
  }
  // A line break and what stands before it are one.
  return changes > 1 ? Math.ceil(tokens / 2) : tokens;
}

function endOfSame(text: string, at: number, end: number): number {
  let same = at + 1;
  while (same < end && text.charCodeAt(same) === text.charCodeAt(at)) same += 1;
  return same;
}

/** Counts the different characters of a run: of many marks, no token holds several. */
function marksIn(text: string, at: number, end: number): number {
  let [seen, marks] = [0, 0];
  for (let index = at; index < end; index += 1) {
    const bit = 1 << (text.charCodeAt(index) & 31);
    if ((seen & bit) === 0) marks += 1;
    seen |= bit;
  }
  return marks;
}

/**
 * Letters that few vowels are among are no word, and neither are short ones that change between capitals and small
 * letters: of keys, hashes and encoded bytes.
 */
function wordTokens(length: number, vowels: number, isJoined: boolean, isCompound = false): number {
  if (length < 4 && isJoined) return 1 + (length - 1) * 0.8;
  if (length < 3) return 1;
  if (vowels * 5 < length || (length > WORD_LENGTH && !isCompound))
    return Math.max(1, length / RANDOM_LETTERS_PER_TOKEN);
  if (isCompound) return length / COMPOUND_LETTERS_PER_TOKEN;
  return WORDS[length] ?? length / LETTERS_PER_TOKEN;
}

/** Letters that random ones have among thirty, as a rule, and compounds of German, Dutch and Swedish rarely. */
const OF_NO_COMPOUND = /[qxQX]/;
const COMPOUND_LENGTH = 64;

/** Tells whether a long word is made of words: it has the vowels of a language, and none of its rarest letters. */
function isCompound(text: string, { from, to }: Stretch, vowels: number): boolean {
  const length = to - from;
  if (length <= WORD_LENGTH || length > COMPOUND_LENGTH || vowels * 9 < length * 2) return false;
  // Genes are written with four letters.
  if (marksIn(text, from, to) < 6) return false;
  return !OF_NO_COMPOUND.test(text.slice(from, to));
}

/** Source maps write places as capitals between commas. */
function isAmongCommas(text: string, at: number, end: number): boolean {
  const isComma = (code: number) => code === 44 || code === 59;
  return isComma(text.charCodeAt(at - 1)) && isComma(text.charCodeAt(end));
}

/** Words of capitals are rarer than others, above all outside of o200k. */
function capitalTokens(length: number, vowels: number, { hasKnownScripts }: Vocabulary): number {
  const ofWord = 1 + (length - 3) * (hasKnownScripts ? 0.16 : 0.36);
  return vowels * 5 < length || length > WORD_LENGTH ? Math.max(ofWord, length / RANDOM_CAPITALS_PER_TOKEN) : ofWord;
}

/** The last mark before a word belongs to it, as a rule. */
function markTokens(length: number, isRepeated: boolean, isBeforeWord: boolean): number {
  if (isRepeated && length > 3) return Math.ceil(length / REPEATED_PER_TOKEN);
  if (length === 1) return isBeforeWord ? 0.4 : 1;
  return 1 + (length - 2) * 0.3 - (isBeforeWord ? 0.2 : 0);
}
