import { type Member, named } from "./member.ts";
import { readObject, readString, WireError } from "./read.ts";

const MAX_MEMBERS = 16;
const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 512;

/** At most 16 texts, with names of at most 64 characters and values of at most 512. */
function decodeMetadata(value: unknown, path: string): Record<string, string> {
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

/** `metadata`, which OpenAI's two formats share. */
export const METADATA: Member<Record<string, string>> = named("Metadata", {
  read: decodeMetadata,
  schema: {
    type: "object",
    description: "Texts by name; `session_id` and `user_id` name the session and the end user, the others are tags",
    maxProperties: MAX_MEMBERS,
    additionalProperties: { type: "string", maxLength: MAX_VALUE_LENGTH },
  },
});

/** Characters outside of the first 65,536 are two units of a string and one character. */
function isLonger(text: string, maxLength: number): boolean {
  return text.length > maxLength * 2 || (text.length > maxLength && [...text].length > maxLength);
}
