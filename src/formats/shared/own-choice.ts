import type { Dialect, ToolChoice } from "../../../gen/attune/content/v1/content_pb.ts";
import { parseJson } from "./json.ts";

/**
 * Returns the choice of tools as its format has it, a word or an object, if that is the format of `target`; otherwise
 * undefined.
 */
export function ownChoice({ opaque }: ToolChoice, target: Dialect): unknown {
  if (opaque?.dialect !== target) return undefined;
  try {
    return parseJson(opaque.json);
  } catch {
    // Only over RPC can it be no JSON.
    return undefined;
  }
}
