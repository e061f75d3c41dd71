import { Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject } from "../is-object.ts";
import { addDoubtfulKeywords, doubtfulPatterns } from "./doubtful-keywords.ts";

// Unknown keywords and formats say something to a model, and nothing to a validator. What an object inherits is none of
// its properties, and a number that only a double cannot hold is one.
const OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  logger: false,
  ownProperties: true,
  strictNumbers: false,
  code: { regExp: doubtfulPatterns },
};

/**
 * Compiles a schema of draft 2020-12 or, if it says so or only that fits, of draft 7. Throws Error with what is wrong
 * with the schema.
 */
export function compileSchema(schema: unknown): ValidateFunction {
  if (typeof schema === "boolean") return new Ajv2020(OPTIONS).compile(schema);
  if (!isObject(schema)) throw new Error("a schema must be an object or a boolean");
  // The name of the draft is not resolved: some write it in ways that no validator knows.
  const { $schema, ...rest } = schema;
  const isOld = typeof $schema === "string" && /draft-0[4-7]/.test($schema);
  const compilers = [
    () => addDoubtfulKeywords(new Ajv2020(OPTIONS)).compile(rest),
    () => addDoubtfulKeywords(new Ajv(OPTIONS)).compile(rest),
  ];
  const [first, second] = isOld ? compilers.toReversed() : compilers;
  try {
    return first?.() ?? failed();
  } catch (thrown) {
    try {
      return second?.() ?? failed();
    } catch {
      throw thrown;
    }
  }
}

function failed(): never {
  throw new Error("no validator");
}
