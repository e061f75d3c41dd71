/** Words that nearly every English sentence has, and no other language in Latin letters. */
const ENGLISH: ReadonlySet<string> = new Set(
  "the and of to that for with this you are be it or from not your have will which has by an can was".split(" "),
);

/** The same of languages whose words vocabularies know nearly as well. */
const WELL_KNOWN: ReadonlySet<string> = new Set(
  "de la le les des et que el los las en un une una y por para con di il che e per della der die das und ist den von mit het een van do os em uma som och att det sie sind im zu auf nicht ze niet dat wat eller med til av har".split(
    " ",
  ),
);

/** Letters that a token holds of words of well-known languages, and of others, by what vocabularies know of them. */
const WELL_KNOWN_PER_TOKEN = 4.4;
const OTHERS_PER_TOKEN = { known: 3.3, most: 2.8 };
/** The same of parts of words that have letters with marks. */
const PARTS_PER_TOKEN = { known: 3.8, most: 3.2 };
/** Quechua, Aymara, Uzbek and others, whose words vocabularies know least, write q without u. */
const RAREST = /q(?!u)[a-z]/gi;
const RAREST_SHARE = 0.8;
/** In so many characters such a letter stands twice at least. */
const RAREST_WITHIN = 200;

/** Fewer words say nothing about their language. */
const LEAST_WORDS = 8;
/** Share of words between others by which a text is prose. */
const PROSE_SHARE = 0.5;
/** Share of such words by which a text is English, or of a well-known language. */
const ENGLISH_SHARE = 0.1;
const WELL_KNOWN_SHARE = 0.14;

/** Characters that are looked at for letters of Vietnamese. */
const LOOKED_AT = 400;
/** Letters with two marks, without those that Yoruba, Igbo, Guarani, Romanian and Croatian have too. */
const VIETNAMESE = /[ơƠưƯ\u1ea0-\u1eb7\u1eba\u1ebb\u1ebe-\u1ec9\u1ece-\u1ee3\u1ee6-\u1ef7]/;
/** Letters that Russian has in nearly every sentence, and its neighbors in Europe never. */
const RUSSIAN = /[ыэё]/i;
const CYRILLIC = /[\u0400-\u045f]/g;
/** Letters of Mongolian, Kazakh, Kyrgyz, Tatar, Tajik and others. */
const CENTRAL_ASIAN = /[\u048a-\u052f]/;
/** Fewer letters may have none of them in Russian too. */
const LEAST_CYRILLIC = 60;

const [SPACE, COMMA, PERIOD] = [32, 44, 46];

function isOfProse(code: number): boolean {
  return code === COMMA || code === PERIOD || code >= 128 || (code >= 97 && code <= 122);
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Counts the words of a text that stand between spaces, by which it is prose of a language. Vocabularies hold English
 * words whole and cut those of Finnish or Swahili into pieces.
 */
export class ProseCounter {
  /** True if words with marks are syllables, which vocabularies know. */
  readonly isVietnamese: boolean;
  /** True if it is of a language in Cyrillic letters whose words vocabularies know less than those of Russian. */
  readonly isRareCyrillic: boolean;
  /** The same of Central Asia. */
  readonly isCentralAsian: boolean;
  readonly #othersPerToken: number;
  readonly #partsPerToken: number;
  #all = 0;
  #words = 0;
  #english = 0;
  #wellKnown = 0;
  /** Tokens beyond those that were counted, were the text of a well-known language or of another one. */
  #furtherWellKnown = 0;
  #furtherOthers = 0;

  /** `isKnown` is true for o200k, which knows more languages than other vocabularies. */
  constructor(text: string, isKnown: boolean) {
    const beginning = text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text;
    const of = isKnown ? "known" : "most";
    const rarest = (beginning.match(RAREST)?.length ?? 0) * RAREST_WITHIN > beginning.length * 2;
    this.#othersPerToken = OTHERS_PER_TOKEN[of] * (rarest ? RAREST_SHARE : 1);
    this.#partsPerToken = PARTS_PER_TOKEN[of];
    this.isVietnamese = VIETNAMESE.test(beginning);
    this.isCentralAsian = CENTRAL_ASIAN.test(beginning);
    this.isRareCyrillic = !RUSSIAN.test(beginning) && (beginning.match(CYRILLIC)?.length ?? 0) >= LEAST_CYRILLIC;
  }

  /** Counts a word of ASCII letters that so many tokens were counted for. */
  add(text: string, { from, to }: Stretch, tokens: number): void {
    const length = to - from;
    const behind = text.charCodeAt(to);
    // A part of a word that has letters with marks.
    if (behind >= 128 || text.charCodeAt(from - 1) >= 128) {
      this.#furtherOthers += Math.max(0, length / this.#partsPerToken - tokens);
      return;
    }
    this.#all += 1;
    // Cells of tables and words of code stand beside marks.
    if (from > 1 && !(text.charCodeAt(from - 1) === SPACE && isOfProse(text.charCodeAt(from - 2)))) return;
    if (behind !== SPACE && behind !== COMMA && behind !== PERIOD) return;
    this.#words += 1;
    if (length <= 5) {
      const word = text.slice(from, to);
      if (ENGLISH.has(word)) this.#english += 1;
      else if (WELL_KNOWN.has(word)) this.#wellKnown += 1;
    }
    this.#furtherWellKnown += Math.max(0, length / WELL_KNOWN_PER_TOKEN - tokens);
    this.#furtherOthers += Math.max(0, length / this.#othersPerToken - tokens);
  }

  /** Returns the tokens beyond those that were counted. */
  further(): number {
    const isProse = this.#words >= LEAST_WORDS && this.#words > this.#all * PROSE_SHARE;
    if (!isProse || this.isVietnamese || this.#english > this.#words * ENGLISH_SHARE) return 0;
    return this.#wellKnown > this.#words * WELL_KNOWN_SHARE ? this.#furtherWellKnown : this.#furtherOthers;
  }
}
