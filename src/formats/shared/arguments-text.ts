import { wellFormedJson } from "./well-formed-json.ts";

/**
 * Returns the arguments of a function call as upstreams get them: `{}` for blank ones, which servers give and clients
 * send for none, and U+FFFD for escaped halves of surrogate pairs, at which servers in Python fail once they parse
 * them.
 */
export function argumentsText(text: string): string {
  return text.trim() === "" ? "{}" : wellFormedJson(text);
}
