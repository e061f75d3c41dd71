import type { JsonObject } from "../../formats/shared/json.ts";

/**
 * The conversation on a connection up to a response that is not stored; its client continues from there with new items
 * alone.
 */
export interface ConversationState {
  readonly id: string;
  /** The items that the model was given, and those that it answered with. */
  readonly items: readonly unknown[];
  /** The bytes of the frames that they came in. */
  readonly bytes: number;
}

/** Returns the items of an `input`: a text stands for one message. What has a wrong form is left to the decoder. */
export function itemsOf(input: unknown): readonly unknown[] | undefined {
  if (typeof input === "string") return [{ role: "user", content: input }];
  return Array.isArray(input) ? input : undefined;
}

/**
 * Returns a request with the conversation that it goes on with before its own items; the request itself where that is
 * not held here. It may be held in the store.
 */
export function withSaid(body: JsonObject, said: ConversationState | undefined): JsonObject {
  const items = itemsOf(body.input);
  if (said === undefined || body.previous_response_id !== said.id || items === undefined) return body;
  return { ...body, previous_response_id: null, input: [...said.items, ...items] };
}
