import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";

/** The JSON that a prompt shows: a schema, or an object with the wanted keys. */
type ShownJson = { readonly schema: JsonObject } | { readonly example: JsonObject };

/** Most keys that are read from words. */
const MAX_KEYS = 50;

/**
 * Finds what a prompt shows of the JSON that it wants: a JSON schema; an object, which is given back as it is; the keys
 * of what looks like an object (`{"name": string}`); or keys that it names: `the keys "name" and "age"`, `fields: name,
 * age`. Undefined if it shows nothing.
 */
export function findShownJson(text: string): ShownJson | undefined {
  const objects = objectsIn(text);
  for (const object of objects) {
    const parsed = parse(object);
    if (parsed === undefined) continue;
    return isJsonObject(parsed["properties"]) ? { schema: parsed } : { example: parsed };
  }
  const keys = [keysOfObject(objects[0] ?? ""), keysInWords(text)].find(({ length }) => length > 0);
  return keys && { example: Object.fromEntries(keys.map((key) => [key, `example ${key}`])) };
}

/** The outermost pairs of braces, in one pass. */
function objectsIn(text: string): string[] {
  const found: string[] = [];
  let [depth, begin, isQuoted] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (depth > 0 && isQuoted && character === "\\") at += 1;
    else if (depth > 0 && character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "{") {
      if (depth === 0) begin = at;
      depth += 1;
    } else if (character === "}" && depth > 0) {
      depth -= 1;
      if (depth === 0) found.push(text.slice(begin, at + 1));
    }
  }
  return found;
}

/** Of `{"name": string, age: number}`: the outermost keys. */
function keysOfObject(text: string): string[] {
  const inner = text.slice(1, -1).replace(/[{[][^{}[\]]*[}\]]/g, "");
  const keys = [...inner.matchAll(/(?:^|[,{\n])[ \t]*["']?([\p{L}_$][\p{L}\p{N}_$-]{0,63})["']?[ \t]*:/gu)];
  return keys.slice(0, MAX_KEYS).map(([, key = ""]) => key);
}

/** Characters behind the word `keys` that are looked at. */
const LIST_LENGTH = 500;

/**
 * The words that stand behind `keys`, up to the end of the sentence: those in quotes, or else two and more in a list.
 */
function keysInWords(text: string): string[] {
  for (const { 0: word, index } of text.matchAll(/\b(?:keys?|fields?|members?|properties)\b:?\s/giu)) {
    const begin = index + word.length;
    const [list = ""] = text.slice(begin, begin + LIST_LENGTH).split(/[.;\n]/, 1);
    const quoted = [...list.matchAll(/["'`“]([^"'`“”]{1,64})["'`”]/gu)].map(([, key = ""]) => key);
    if (quoted.length > 0) return quoted.slice(0, MAX_KEYS);
    const parts = list.split(/, ?(?:and )?| and /u);
    const keys = parts.map((part, at) => (at === parts.length - 1 ? part.trim().split(" ", 1)[0] : part.trim()) ?? "");
    if (keys.length > 1 && keys.every((key) => /^[\p{L}_$][\p{L}\p{N}_$-]{0,63}$/u.test(key))) {
      return keys.slice(0, MAX_KEYS);
    }
  }
  return [];
}

function parse(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
