/** The ways in which vocabularies differ most. */
export interface Vocabulary {
  /** Digits that a token holds. */
  readonly digitsPerToken: 1 | 3;
  /** True for o200k's shares of other scripts than Latin; false for the largest share that any vocabulary has. */
  readonly hasKnownScripts: boolean;
}

/** OpenAI's vocabulary. */
export const O200K: Vocabulary = { digitsPerToken: 3, hasKnownScripts: true };
const GROUPED_DIGITS: Vocabulary = { digitsPerToken: 3, hasKnownScripts: false };
const SINGLE_DIGITS: Vocabulary = { digitsPerToken: 1, hasKnownScripts: false };

const IS_OPENAI = /(?:^|[/.])(?:chat)?gpt-|(?:^|\/)o\d(?:-|$)|^sandbox$/;
/** Vocabularies of Qwen 3, Tekken and Gemma 3 have a token for each digit. */
const HAS_SINGLE_DIGITS =
  /qwen|qwq|mi[sx]tral|ministral|codestral|devstral|magistral|pixtral|voxtral|gemma|gemini|internlm/i;

/** The names of a model, and of its places. */
interface NamedModel {
  readonly name: string;
  readonly deployments: readonly { readonly model: string }[];
}

const VOCABULARIES = new WeakMap<NamedModel, Vocabulary>();

/** Returns the vocabulary that a model has by its names, or the one with the most tokens of those that it may have. */
export function getVocabulary(model: NamedModel): Vocabulary {
  const known = VOCABULARIES.get(model);
  if (known !== undefined) return known;
  const names = [model.name, ...model.deployments.map(({ model: name }) => name)];
  const isOpenai = names.some((name) => IS_OPENAI.test(name));
  const others = names.some((name) => HAS_SINGLE_DIGITS.test(name)) ? SINGLE_DIGITS : GROUPED_DIGITS;
  const vocabulary = isOpenai ? O200K : others;
  VOCABULARIES.set(model, vocabulary);
  return vocabulary;
}
