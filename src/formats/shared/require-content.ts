import { InferenceError } from "../../hub/error.ts";
import type { JsonObject } from "./json.ts";

/**
 * Checks that something is left of a conversation in another format than the upstream's. Where all of it is of types
 * and roles that only the caller's format knows, there is no question to answer: INVALID_REQUEST is thrown.
 */
export function checkNotEmpty(messages: readonly JsonObject[]): void {
  if (messages.length > 0) return;
  const problem = "must have a message of a role and a type of content that this model's upstream knows";
  throw InferenceError.invalid("messages", problem);
}
