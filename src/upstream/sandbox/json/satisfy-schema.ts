import { generateSync } from "json-schema-faker";
import { isJsonObject, type JsonObject } from "../../../formats/shared/json.ts";
import { compileSchema } from "../../../lib/json-schema/compile-schema.ts";
import { DeadlineError, withDeadline } from "../../../lib/json-schema/deadline.ts";
import { doubt } from "../../../lib/json-schema/doubtful-keywords.ts";
import { UnsatisfiableSchema } from "./unsatisfiable-schema.ts";

/** Most characters of a schema. */
const MAX_SCHEMA_LENGTH = 256 * 1024;
/** Most characters of a value. */
const MAX_TEXT_LENGTH = 256 * 1024;
const TIMEOUT_MS = 3000;
/** Values that are tried before giving up. */
const SEEDS = 16;
const OPTIONS = { useExamplesValue: true, refDepthMax: 3, maxDefaultItems: 2 } as const;
/** Numbers behind these keywords beyond which a generator would only fill the memory. */
const SIZES = { minItems: 1000, minProperties: 1000, minLength: 100_000, minContains: 1000 } as const;

/**
 * Returns JSON text that the schema accepts, always the same for the same schema. With `root` "object" it is an object.
 * May take three seconds: it is done in a thread. Throws UnsatisfiableSchema with what is wrong with the schema.
 */
export function satisfySchema(schemaJson: string, root: "object" | "any"): string {
  if (schemaJson.length > MAX_SCHEMA_LENGTH) throw new UnsatisfiableSchema("the schema is too large for the sandbox");
  const text = JSON.stringify(findInTime(parse(schemaJson), root));
  if (text.length > MAX_TEXT_LENGTH) throw new UnsatisfiableSchema("the schema asks for too much for the sandbox");
  return text;
}

function findInTime(schema: unknown, root: "object" | "any"): unknown {
  try {
    return withDeadline(TIMEOUT_MS, () => findValue(schema, root));
  } catch (thrown) {
    if (!(thrown instanceof DeadlineError)) throw thrown;
    throw new UnsatisfiableSchema("finding a value for the schema takes too long");
  }
}

function parse(schemaJson: string): unknown {
  try {
    return JSON.parse(schemaJson);
  } catch {
    throw new UnsatisfiableSchema("the schema is not valid JSON");
  }
}

function findValue(schema: unknown, root: "object" | "any"): unknown {
  checkSizes(schema);
  const isValid = compile(schema);
  const typed = root === "object" ? asObject(schema) : schema;
  let doubtful: { readonly value: unknown } | undefined;
  for (const value of candidates(typed)) {
    doubt.isNoted = false;
    if (!isValid(value) || (root === "object" && !isJsonObject(value))) continue;
    if (!doubt.isNoted) return value;
    doubtful ??= { value };
  }
  // Only where no value is found that every validator accepts.
  if (doubtful !== undefined) return doubtful.value;
  throw new UnsatisfiableSchema(
    root === "object"
      ? "the sandbox finds no object that the schema accepts"
      : "the sandbox finds no value that the schema accepts",
  );
}

/** A schema that does not say what its values are is taken for one of objects. */
function asObject(schema: unknown): unknown {
  if (schema === true) return { type: "object" };
  return isJsonObject(schema) ? { type: "object", ...schema } : schema;
}

function compile(schema: unknown): (value: unknown) => boolean {
  try {
    return compileSchema(schema);
  } catch (thrown) {
    throw new UnsatisfiableSchema(
      `the schema is not valid: ${thrown instanceof Error ? thrown.message : "it cannot be read"}`,
    );
  }
}

/** The generator loses a property of this name, which is therefore generated under another one as long as it is. */
const [PROTO, STAND_IN] = ["__proto__", "\ue000_proto_\ue000"];

function generate(schema: JsonObject, options: Parameters<typeof generateSync>[1]): unknown {
  const text = JSON.stringify(schema);
  if (!text.includes(PROTO)) return generateSync(schema, options);
  const value: unknown = generateSync(JSON.parse(text.replaceAll(PROTO, STAND_IN)), options);
  return JSON.parse(JSON.stringify(value).replaceAll(STAND_IN, PROTO));
}

/** The first value has every property and each default; later ones leave out more and more that is not required. */
function* candidates(schema: unknown): Generator<unknown> {
  if (!isJsonObject(schema)) {
    if (schema === true) yield {};
    return;
  }
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const optionalsProbability = 1 - seed / (SEEDS - 1);
    try {
      yield generate(schema, { ...OPTIONS, seed, optionalsProbability, useDefaultValue: seed === 0 });
    } catch (thrown) {
      // Another seed may lead to a value.
      if (!(thrown instanceof Error)) throw thrown;
    }
  }
}

function checkSizes(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    const most = Object.hasOwn(SIZES, name) ? SIZES[name as keyof typeof SIZES] : Number.POSITIVE_INFINITY;
    if (typeof part === "number" && part > most) {
      throw new UnsatisfiableSchema(`the schema asks for too much for the sandbox: ${name} may be ${most} at most`);
    }
    if (name === "pattern" && typeof part === "string") checkPattern(part);
    checkSizes(part);
  }
}

/** Repetitions multiply: ((a{999}){999}){999} is a text of a gigabyte. */
function checkPattern(pattern: string): void {
  const product = [...pattern.matchAll(/\{(\d+)/g)].reduce((total, [, count]) => total * Math.max(1, Number(count)), 1);
  if (product > SIZES.minLength)
    throw new UnsatisfiableSchema("a pattern of the schema repeats too much for the sandbox");
}
