import { readObject, readString, WireError } from "./read.ts";

const MAX_MEMBERS = 16;
const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 512;

/**
 * Decodes `metadata`, which OpenAI's two formats share: at most 16 texts, with names of at most 64 characters and
 * values of at most 512. Throws WireError.
 */
export function decodeMetadata(value: unknown, path: string): Record<string, string> {
  const entries = Object.entries(readObject(value, path));
  if (entries.length > MAX_MEMBERS) {
    throw new WireError(path, `must have at most ${MAX_MEMBERS} members, not ${entries.length}`);
  }
  const texts = entries.map(([name, item]): [string, string] => {
    if (isLonger(name, MAX_NAME_LENGTH)) {
      throw new WireError(path, `has a name with more than ${MAX_NAME_LENGTH} characters`);
    }
    const text = readString(item, `${path}.${name}`);
    if (isLonger(text, MAX_VALUE_LENGTH)) {
      throw new WireError(`${path}.${name}`, `must have at most ${MAX_VALUE_LENGTH} characters`);
    }
    return [name, text];
  });
  return Object.fromEntries(texts);
}

/** Characters outside of the first 65,536 are two units of a string and one character. */
function isLonger(text: string, maxLength: number): boolean {
  return text.length > maxLength * 2 || (text.length > maxLength && [...text].length > maxLength);
}
