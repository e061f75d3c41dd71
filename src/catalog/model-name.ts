import { DIRECTIVE_MARK } from "./directive.ts";

/** Most characters of a model's name. */
export const MAX_MODEL_NAME = 200;

/** The form of a model's name, which may have the separators that registries use. */
export const MODEL_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._:/@+-]*[A-Za-z0-9_+-])?$/;

/** The rule of names that models and aliases may have. */
export const MODEL_NAME_RULE =
  `must be a name of at most ${MAX_MODEL_NAME} letters, digits and '._:/@+-' that begins and ends with a letter or a ` +
  `digit, without '${DIRECTIVE_MARK}'`;

/** Tells whether a text may be the name of a model, or an alias. */
export function isModelName(text: string): boolean {
  return text.length <= MAX_MODEL_NAME && MODEL_NAME.test(text) && !text.includes(DIRECTIVE_MARK);
}
