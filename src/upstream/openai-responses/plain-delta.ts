import { areSingle, type PlainEvent } from "../repeated-event.ts";

const LOGPROBS = new Set(["logprobs"]);

/** An event with a piece of a text, without log probabilities. */
export const PLAIN_DELTA: PlainEvent = {
  isPlain(event) {
    const { type, logprobs } = event;
    const hasLogprobs = logprobs !== undefined && !(Array.isArray(logprobs) && logprobs.length === 0);
    return type === "response.output_text.delta" && !hasLogprobs && areSingle(event, LOGPROBS);
  },
  paths: [["delta"], ["sequence_number"], ["obfuscation"]],
};
