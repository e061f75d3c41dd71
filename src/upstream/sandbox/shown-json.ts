import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";
import { objectsInText } from "../../lib/objects-in-text.ts";

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
  const objects = [...objectsInText(text)];
  for (const object of objects) {
    const parsed = parse(object);
    if (parsed === undefined) continue;
    return isJsonObject(parsed["properties"]) ? { schema: parsed } : { example: parsed };
  }
  const keys = [keysOfObject(objects[0] ?? ""), keysInWords(text)].find(({ length }) => length > 0);
  return keys && { example: Object.fromEntries(keys.map((key) => [key, `example ${key}`])) };
}

/** Of `{"name": string, age: number}`: the outermost keys. */
function keysOfObject(text: string): string[] {
  const inner = text.slice(1, -1).replace(/[{[][^{}[\]]*[}\]]/g, "");
  const keys = [...inner.matchAll(/(?:^|[,{\n])[ \t]*["']?([\p{L}_$][\p{L}\p{N}_$-]{0,63})["']?[ \t]*:/gu)];
  return keys.slice(0, MAX_KEYS).map(([, key = ""]) => key);
}

/** Characters behind the word `keys` that are looked at. */
const LIST_LENGTH = 500;

/** Words that may stand between `keys` and the names, and before a name. */
const LEAD =
  /^(?:(?:are|is|of|called|named|following|for|must|should|be|exactly|only|these|the|an?|and)\b[ \t]*:?[ \t]*)+/iu;
const NAME = /^[\p{L}_$][\p{L}\p{N}_$-]{0,63}$/u;

/**
 * The words that stand behind `keys` or `JSON with`, up to the end of the sentence: those in quotes, or else two and
 * more in a list, also one in each line. What stands in brackets or behind a colon describes the name before it. One
 * key may also be named in quotes before or behind the word `key`.
 */
function keysInWords(text: string): string[] {
  for (const { 0: word, index } of text.matchAll(MENTIONS)) {
    const list = text.slice(index + word.length, index + word.length + LIST_LENGTH);
    const [sentence = ""] = list.split(/[.;\n]/, 1);
    const quoted = quotedIn(sentence);
    if (quoted.length > 0) return quoted;
    const names = namesIn(sentence);
    if (names.length > 1) return names;
    const lines = namesInLines(list);
    if (lines.length > 0) return lines;
  }
  const before = [...text.matchAll(/["'`“]([^"'`“”\n]{1,64})["'`”] (?:keys?|fields?|members?|propert(?:y|ies))\b/giu)];
  return before.slice(0, MAX_KEYS).map(([, key = ""]) => key);
}

const MENTIONS = /\b(?:keys?|fields?|members?|properties|JSON (?:object )?(?:with|containing|that has))\b:?\s/giu;

function quotedIn(sentence: string): string[] {
  return [...sentence.matchAll(/["'`“]([^"'`“”]{1,64})["'`”]/gu)].slice(0, MAX_KEYS).map(([, key = ""]) => key);
}

/** Of `name (a string), age and city in lower case`: the names, if each part begins with one. */
function namesIn(sentence: string): string[] {
  const parts = sentence.replace(/\([^()]*\)/gu, "").split(/,[ \t]?(?:and )?| and /u);
  const names = parts.map((part, at) => {
    const [name = ""] = part
      .trim()
      .replace(LEAD, "")
      .split(/[ \t:]/u, 1);
    const isPlain = at === parts.length - 1 || part.trim().replace(LEAD, "") === name;
    return isPlain ? name : "";
  });
  return names.every((name) => NAME.test(name)) ? names.slice(0, MAX_KEYS) : [];
}

/** Of a list below: `- name: of the city`. */
function namesInLines(list: string): string[] {
  const found = list.matchAll(
    /^[ \t]{0,9}(?:[-*•]|\d{1,3}[.)])[ \t]{1,9}["'`*]{0,3}([\p{L}_$][\p{L}\p{N}_$-]{0,63})/gmu,
  );
  return [...found].slice(0, MAX_KEYS).map(([, key = ""]) => key);
}

function parse(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
