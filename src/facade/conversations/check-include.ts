import { InferenceError } from "../../hub/error.ts";

/**
 * The members of items that the format leaves out unless they are asked for. Here an item has all that is kept of it.
 */
export const INCLUDABLE: ReadonlySet<string> = new Set([
  "code_interpreter_call.outputs",
  "computer_call_output.output.image_url",
  "file_search_call.results",
  "message.input_image.image_url",
  "message.output_text.logprobs",
  "reasoning.encrypted_content",
  "web_search_call.action.sources",
  "web_search_call.results",
]);

/** Checks what a request wants to have included, in either form that clients send. Throws INVALID_REQUEST. */
export function checkInclude(query: Readonly<Record<string, unknown>>): void {
  for (const value of [query["include"], query["include[]"]].flat()) {
    if (value === undefined || (typeof value === "string" && INCLUDABLE.has(value))) continue;
    throw InferenceError.invalid("include", `must be of ${[...INCLUDABLE].join(", ")}`);
  }
}
