import { isJsonObject, type JsonObject } from "../../wire/json.ts";
import { areSingle, isNothing, type PlainEvent } from "../repeated-event.ts";

const CHOICES = new Set(["choices"]);
const DELTA = new Set(["delta"]);
const NONE: ReadonlySet<string> = new Set();
/** Members of a delta that say something else than its text. */
const OTHERS = ["refusal", "tool_calls", "reasoning_content", "reasoning", "reasoning_details"] as const;

/** A chunk with a piece of text: no usage, no end, no log probabilities, no reasoning, no call. */
export const PLAIN_CHUNK: PlainEvent = {
  isPlain(chunk) {
    const { choices } = chunk;
    if (!Array.isArray(choices) || choices.length !== 1 || !areSingle(chunk, CHOICES)) return false;
    const [choice] = choices;
    if (!isJsonObject(choice) || !areSingle(choice, DELTA) || !isNothing(choice.finish_reason)) return false;
    return isNothing(chunk.error) && isJsonObject(choice.delta) && isPlainDelta(choice.delta);
  },
  paths: [["choices", 0, "delta", "content"], ["obfuscation"]],
};

function isPlainDelta(delta: JsonObject): boolean {
  const { content } = delta;
  return (
    typeof content === "string" &&
    content !== "" &&
    areSingle(delta, NONE) &&
    OTHERS.every((name) => isNothing(delta[name]))
  );
}
