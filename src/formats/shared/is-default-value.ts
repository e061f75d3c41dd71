import { isJsonObject } from "./json.ts";

/** Members that are carried by other means, or say nothing of the conversation: the state of an item that is done. */
const CARRIED: ReadonlySet<string> = new Set(["max_tokens", "status"]);

/** Members that do not ask for anything where they are false. */
const OPTIONS: ReadonlySet<string> = new Set([
  "background",
  "defer_loading",
  "eager_input_streaming",
  "include_obfuscation",
  "logprobs",
  "store",
]);

/** Members that are sent by clients who mean nothing by them: what happens without them. */
const DEFAULTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["presence_penalty", 0],
  ["frequency_penalty", 0],
  ["service_tier", "auto"],
  ["speed", "standard"],
  ["truncation", "disabled"],
  ["user", ""],
]);

/** Items of lists that ask for what happens whatever the upstream's format is. */
const DEFAULT_ITEMS: ReadonlyMap<string, ReadonlySet<unknown>> = new Map([
  ["include", new Set(["reasoning.encrypted_content", "web_search_call.action.sources"])],
  ["allowed_callers", new Set(["direct"])],
]);

/**
 * Tells whether a member that a format cannot carry asks for nothing beyond what happens anyway, so that no more than
 * its name is lost: what is empty, or carried by other means. Reasoning always comes back with its opaque form.
 */
export function saysNothing(name: string, value: unknown): boolean {
  if (value === null || CARRIED.has(name) || (DEFAULTS.has(name) && DEFAULTS.get(name) === value)) return true;
  if (value === false) return OPTIONS.has(name);
  if (Array.isArray(value)) return value.every((item) => DEFAULT_ITEMS.get(name)?.has(item) === true);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(([inner, option]) => name === "stream_options" && saysNothing(inner, option));
}
