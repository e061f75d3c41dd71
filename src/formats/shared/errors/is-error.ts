import { isJsonObject, type JsonObject, toText } from "../json.ts";
import type { KnownFacts } from "../protocol.ts";
import { findPlaced, messageIn } from "./find-error.ts";

/** A type that is the name of an error, and not that of an event or an answer. */
const NAMES_ERROR = /(?:error|exception)$/i;

/**
 * Tells whether an object that came as an answer, or as an event of one, is an error in one of the forms that servers
 * have for it. `hasAnswer`: it has what an answer is known by, beside which only a plain error counts.
 */
export function isErrorObject(body: JsonObject, hasAnswer: boolean, facts: KnownFacts): boolean {
  const { error, object, detail, errors, err, fault } = body;
  const type = toText(body.type);
  if (error !== undefined && error !== null) return true;
  if (object === "error" || type === "error") return true;
  if (hasAnswer) return false;
  if (detail !== undefined || (errors ?? undefined) !== undefined) return true;
  if (isJsonObject(err) || isJsonObject(fault)) return true;
  if (findPlaced(body, facts?.errorPlaces ?? []) !== undefined) return true;
  const isNamed = type === "" || NAMES_ERROR.test(type);
  return isNamed && messageIn(body) !== undefined;
}
