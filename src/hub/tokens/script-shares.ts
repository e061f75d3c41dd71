import type { ProseCounter } from "./prose-counter.ts";

/** The facts of a text by which its language is known. */
type TextLanguage = Pick<ProseCounter, "isVietnamese" | "isRareCyrillic" | "isCentralAsian">;

/**
 * The first code unit of each script, with the tokens that a character of it takes with o200k, and the most that it
 * takes with o200k, Tekken or the vocabularies of Qwen 3, DeepSeek V3, Llama 3 and Gemma 3.
 */
const SCRIPTS: readonly (readonly [from: number, tokens: number, most: number])[] = [
  [0x80, 1, 1.3], // Signs of Latin.
  [0xc0, 0.4, 0.5], // Latin with marks.
  [0x100, 1.1, 1.5], // Latin of Eastern Europe.
  [0x11f, 0.35, 1.5], // Turkish.
  [0x120, 1.1, 1.5],
  [0x131, 0.35, 1.5], // Turkish.
  [0x132, 1.1, 1.5],
  [0x180, 1.2, 1.5], // Latin of West Africa.
  [0x200, 0.4, 0.5],
  [0x250, 1.1, 1.5], // Phonetic signs.
  [0x259, 0.5, 1.5], // Azerbaijani.
  [0x25a, 1.1, 1.5],
  [0x300, 0.9, 1.2], // Marks of their own.
  [0x30d, 1.9, 2], // Those that no language piles up.
  [0x323, 0.9, 1.2],
  [0x324, 1.9, 2],
  [0x370, 0.4, 1], // Greek.
  [0x400, 0.24, 0.36], // Cyrillic.
  [0x48a, 0.8, 1.2], // Cyrillic of Central Asia.
  [0x530, 0.39, 1.9], // Armenian.
  [0x590, 1.8, 2], // Points of Hebrew.
  [0x5d0, 0.45, 1.25], // Hebrew.
  [0x600, 0.32, 0.5], // Arabic.
  [0x66e, 0.58, 1.2], // Letters of Persian, Urdu, Pashto and Kurdish.
  [0x700, 2.2, 2.3], // Syriac, Thaana, N'Ko.
  [0x900, 0.35, 1.3], // Devanagari.
  [0x980, 0.4, 1.7], // Bengali.
  [0xa00, 0.56, 2.1], // Gurmukhi.
  [0xa80, 0.42, 2.1], // Gujarati.
  [0xb00, 1.2, 2.9], // Odia.
  [0xb80, 0.35, 2.1], // Tamil.
  [0xc00, 0.53, 2.1], // Telugu.
  [0xc80, 0.38, 2.1], // Kannada, Malayalam.
  [0xd80, 0.6, 2.5], // Sinhala.
  [0xe00, 0.46, 0.7], // Thai.
  [0xe80, 1.9, 2.4], // Lao.
  [0xf00, 1.45, 2.1], // Tibetan.
  [0x1000, 0.55, 2.1], // Burmese.
  [0x10a0, 0.36, 2.1], // Georgian.
  [0x1100, 3, 3], // Hangul Jamo.
  [0x1200, 2.2, 3], // Ethiopic.
  [0x13a0, 3.1, 3], // Cherokee, syllabics of Canada.
  [0x1780, 0.67, 3], // Khmer.
  [0x1800, 3.1, 3], // Mongolian's own and others.
  [0x1e00, 0, 0.2], // Latin with two marks: Vietnamese, whose words they cut in two here.
  [0x2000, 0.8, 1.5], // Signs.
  [0x2070, 1.6, 2], // Raised and lowered digits.
  [0x20a0, 0.8, 1.5],
  [0x2190, 1.4, 2], // Arrows.
  [0x2200, 1.5, 2], // Mathematics.
  [0x2300, 2.6, 3], // Technical signs, APL among them.
  [0x2460, 2, 3], // Digits and letters in circles.
  [0x2500, 0.8, 1.5], // Boxes.
  [0x2580, 1.6, 2], // Blocks.
  [0x25a0, 1.4, 2], // Shapes.
  [0x2600, 0.8, 2.2], // Signs, emoji among them.
  [0x2800, 3, 3], // Braille.
  [0x2900, 2.9, 3], // Rare arrows and mathematics.
  [0x2b00, 1.5, 3],
  [0x2c00, 3, 3], // Tifinagh and others.
  [0x2e80, 0.78, 0.78], // Radicals, punctuation and kana.
  [0x3200, 2.5, 3], // Ideographs in circles and squares.
  [0x3400, 0.78, 0.88], // Ideographs.
  [0xa000, 3, 3], // Yi, Meitei and others.
  [0xac00, 0.66, 0.85], // Hangul syllables.
  // Characters beyond have two halves, of which the first tells what they are.
  [0xd800, 3.5, 4], // Old scripts.
  [0xd835, 2.9, 4], // Letters of mathematics.
  [0xd836, 3.5, 4],
  [0xd83c, 1.7, 4], // Emoji.
  [0xd83f, 3.5, 4],
  [0xd840, 3.95, 4], // Rare ideographs.
  [0xdc00, 0, 0],
  [0xe000, 3, 3], // Private use.
  [0xf900, 0.9, 1.25], // Ideographs for compatibility, punctuation of full width.
  [0xff10, 1.6, 2], // Digits and letters of full width.
  [0xff1a, 0.9, 1.25],
  [0xff21, 1.6, 2],
  [0xff3b, 0.9, 1.25],
  [0xff41, 1.6, 2],
  [0xff5b, 0.9, 1.25],
  [0xff66, 1.8, 2.2], // Kana of half width.
  [0xffa0, 0.9, 1.25],
];

/** Letters of languages with rarer words than those that share their script: Ukrainian beside Russian, and others. */
const RARE: ReadonlyMap<number, number> = new Map([
  ...[0x404, 0x406, 0x407, 0x454, 0x456, 0x457, 0x491].map((code) => [code, 1.2] as const),
  // Serbian, Macedonian and Belarusian.
  ...[0x452, 0x453, 0x458, 0x459, 0x45a, 0x45b, 0x45c, 0x45e, 0x45f].map((code) => [code, 1.5] as const),
  // Bulgarian has this letter often, and Russian nearly never.
  [0x44a, 1.6],
  // Romanian.
  ...[0x102, 0x103].map((code) => [code, 0.55] as const),
  ...[0x218, 0x219, 0x21a, 0x21b].map((code) => [code, 1.2] as const),
  // Pashto.
  ...[0x67c, 0x681, 0x685, 0x689, 0x693, 0x696, 0x69a, 0x6ab, 0x6bc, 0x6cd, 0x6d0].map((code) => [code, 1.2] as const),
  // Kurdish, in Arabic and in Latin letters.
  ...[0x6c6, 0x6ce, 0x6d5].map((code) => [code, 1.1] as const),
  ...[0xea, 0xee, 0xfb].map((code) => [code, 0.9] as const),
  // Uyghur.
  ...[0x6c7, 0x6c8].map((code) => [code, 1.3] as const),
]);

/** Capitals of Greek and Russian beside each other, with o200k and elsewhere: vocabularies have few such words. */
const CAPITALS = { known: 0.8, most: 1 };

function isCapital(code: number): boolean {
  return (code >= 0x391 && code < 0x3aa) || (code >= 0x410 && code < 0x430);
}

/** Returns the tokens of a letter in a word of capitals alone; undefined for any other. */
export function getShareOfCapital(code: number, behind: number, before: number, isKnown: boolean): number | undefined {
  if (!isCapital(code) || !(isCapital(behind) || isCapital(before))) return undefined;
  return isKnown ? CAPITALS.known : CAPITALS.most;
}

/** Letters of Yoruba and Igbo with a dot below. */
const DOTTED = 0.8;
/** Letters of Ukrainian, Bulgarian, Macedonian, Serbian and others. */
const RARE_CYRILLIC = 0.33;
const RARE_CYRILLIC_ELSEWHERE = 0.49;
/** A letter of Ukrainian that Kazakh has in every second word. */
const KAZAKH_I = 0x456;
/** The same letters in Mongolian, Kazakh, Tajik and others. */
const CENTRAL_ASIAN_ELSEWHERE = 0.65;

/**
 * Returns the tokens of a character that is not of ASCII: with o200k, where its scripts are known, or the most of other
 * vocabularies.
 */
export function getShare(code: number, isKnown: boolean, prose: TextLanguage): number {
  if (code >= 0x1e00 && code < 0x1f00 && !prose.isVietnamese) return DOTTED;
  const isBase = code >= 0x410 && code < 0x450 && code !== 0x44a;
  if ((isBase && prose.isRareCyrillic) || ((isBase || code === KAZAKH_I) && prose.isCentralAsian)) {
    if (isKnown) return RARE_CYRILLIC;
    return prose.isCentralAsian ? CENTRAL_ASIAN_ELSEWHERE : RARE_CYRILLIC_ELSEWHERE;
  }
  const rare = RARE.get(code);
  if (rare !== undefined) return rare;
  let share = 1;
  for (const [from, tokens, most] of SCRIPTS) {
    if (code < from) break;
    share = isKnown ? tokens : most;
  }
  return share;
}
