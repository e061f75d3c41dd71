/** A stretch of text that ends at the border of a character and of a token. */
export interface TextPiece {
  readonly text: string;
  /** Tokens that it has: more than one where a character has several. */
  readonly tokens: number;
}

/** Turns text into tokens of the o200k vocabulary. */
export interface Tokenizer {
  /** Splits a text into pieces, whose texts together are the text. */
  split(text: string): TextPiece[];
  /** Counts the tokens of a text. Gives way to other work between stretches of a long text; see count-tokens.ts. */
  count(text: string): number;
}

let loading: Promise<Tokenizer> | undefined;

/** Loads the tokenizer once; its vocabulary takes a quarter of a second, which a start without the sandbox does not pay. */
export function loadTokenizer(): Promise<Tokenizer> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Tokenizer> {
  const { countTokens, decodeGenerator, encode } = await import("gpt-tokenizer/encoding/o200k_base");
  // Names of control tokens in a text are text.
  const options = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };
  return {
    count: (text) => countTokens(text.toWellFormed(), options),
    split(text) {
      const tokens = encode(text.toWellFormed(), options);
      let read = 0;
      const counted = function* (): Generator<number> {
        for (const token of tokens) {
          read += 1;
          yield token;
        }
      };
      const pieces: TextPiece[] = [];
      let before = 0;
      for (const piece of decodeGenerator(counted())) {
        pieces.push({ text: piece, tokens: read - before });
        before = read;
      }
      return pieces;
    },
  };
}
