/** A stretch of text that ends at the border of a character and of a token. */
interface TextPiece {
  readonly text: string;
  /** Tokens that it has: more than one where a character has several. */
  readonly tokens: number;
}

/** Turns text into tokens of the o200k vocabulary. */
export interface Tokenizer {
  /** Splits a text into pieces, whose texts together are the text; stretch by stretch, as they are asked for. */
  split(text: string): Iterable<TextPiece>;
  /** Counts the tokens of one stretch of a text. */
  count(stretch: string): number;
}

/** The tokenizer takes time that grows with the square of a word's length, so no stretch is longer than this. */
const STRETCH_LENGTH = 512;

/**
 * Cuts a text before a space, where tokens begin too, or between two characters of a word that is longer than a
 * stretch: such a word may have a token more with each cut.
 */
export function* splitStretches(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + STRETCH_LENGTH;
    // Looked for in the stretch alone: in the text, a search for a space that is not there reads all that came before.
    const space = end < text.length ? text.slice(start, end + 1).lastIndexOf(" ") : -1;
    const cut = space > 0 ? start + space : isInsideCharacter(text, end) ? end - 1 : end;
    yield text.slice(start, cut);
    start = cut;
  }
}

/** Returns whether the two halves of a character stand on both sides of a place. */
function isInsideCharacter(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}

let loading: Promise<Tokenizer> | undefined;

/**
 * Loads the tokenizer once; its vocabulary takes a quarter of a second, which a start without the sandbox does not pay.
 */
export function loadTokenizer(): Promise<Tokenizer> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Tokenizer> {
  const { countTokens, decodeGenerator, encode } = await import("gpt-tokenizer/encoding/o200k_base");
  // Names of control tokens in a text are text.
  const options = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  function* splitStretch(stretch: string): Generator<TextPiece> {
    const tokens = encode(stretch.toWellFormed(), options);
    let read = 0;
    const counted = function* (): Generator<number> {
      for (const token of tokens) {
        read += 1;
        yield token;
      }
    };
    let before = 0;
    for (const text of decodeGenerator(counted())) {
      yield { text, tokens: read - before };
      before = read;
    }
  }
  return {
    count: (stretch) => countTokens(stretch.toWellFormed(), options),
    *split(text) {
      for (const stretch of splitStretches(text)) yield* splitStretch(stretch);
    },
  };
}
