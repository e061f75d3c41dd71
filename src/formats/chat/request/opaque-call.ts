import { defineMember, isJsonObject, type JsonObject } from "../../shared/json.ts";
import { isNewWord } from "../../shared/open-words.ts";

const TYPES = ["function", "custom"] as const;
/** Members of a delta that tell which call it is, or are repeated; they do not grow. */
const FIXED: ReadonlySet<string> = new Set(["id", "type", "name"]);

/** Tells whether a call, or its first delta, is of a type that the hub does not know. */
export function isOpaqueCall({ type }: JsonObject): boolean {
  return isNewWord(type, TYPES);
}

/** Adds a delta to a call as the format's own clients do: texts and lists grow, all else is what was said last. */
export function growOpaqueCall(call: JsonObject, { index: _number, ...delta }: JsonObject): void {
  for (const [name, value] of Object.entries(delta)) {
    const known = Object.hasOwn(call, name) ? call[name] : undefined;
    if (value === null || value === undefined) continue;
    if (isJsonObject(known) && isJsonObject(value)) growOpaqueCall(known, value);
    else if (typeof known === "string" && typeof value === "string") {
      if (!FIXED.has(name)) call[name] = known + value;
    } else if (Array.isArray(known) && Array.isArray(value)) for (const item of value) known.push(item);
    else defineMember(call, name, value);
  }
}
