import { type Buffer, isUtf8 } from "node:buffer";
import { LongNumberError, parseExactInSteps } from "../formats/shared/exact-numbers.ts";
import { isJsonObject, type JsonObject, parseJson } from "../formats/shared/json.ts";
import { findJsonFault } from "../formats/shared/json-fault.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { yieldIfLarge } from "../lib/event-loop-budget.ts";
import { describeExcess, type JsonLimits, scanJson } from "../lib/scan-json.ts";

export type { JsonLimits };

/** Parses a request's body within its limits. Throws INVALID_REQUEST that says where the text stops being JSON. */
export async function parseBody(bytes: Buffer, limits: JsonLimits): Promise<unknown> {
  // Decoding alone would put U+FFFD in the place of what is wrong.
  if (!isUtf8(bytes)) throw InferenceError.invalid("", "the body is not valid UTF-8: encode its text as UTF-8");
  const text = bytes.toString("utf8");
  await yieldIfLarge(bytes.length);
  if (text.trim() === "") throw InferenceError.invalid("", "the request has no body: send a JSON object");
  const tally = { values: 0, hasLongNumber: false };
  const exceeded = scanJson(text, limits, tally);
  if (exceeded !== undefined) throw InferenceError.invalid("", `the body ${describeExcess(exceeded, limits)}`);
  await yieldIfLarge(bytes.length);
  try {
    const body = tally.hasLongNumber
      ? await parseExactInSteps(text, () => yieldIfLarge(bytes.length))
      : parseJson(text, false);
    await yieldIfLarge(bytes.length);
    return body;
  } catch (cause) {
    throw new InferenceError(ErrorReason.INVALID_REQUEST, explain(text, cause), { cause });
  }
}

/** Checks that a body is a JSON object. */
export function objectBody(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  throw InferenceError.invalid(
    "",
    `the body must be a JSON object, not ${Array.isArray(body) ? "an array" : "a value"}`,
  );
}

/** Without the parser's own message, which quotes the text: it may hold what should not be repeated. */
function explain(text: string, cause: unknown): string {
  if (cause instanceof LongNumberError) return cause.message;
  const fault = findJsonFault(text);
  if (fault === undefined) return "the body is not valid JSON";
  const { line, column, position, expected } = fault;
  return `the body is not valid JSON at line ${line}, column ${column} (position ${position}): expected ${expected}`;
}
