import type { Format } from "../../../hub/field-row.ts";

/** Characters that every format takes in the name of a tool. */
const CHARACTERS = "[a-zA-Z0-9_-]";

/**
 * Most characters of a tool's name. Chat says 64 (FunctionDefinition.name in openai/resources/shared), Messages 128
 * (Tool.name of its reference); servers of the Responses format differ, and all of them take 64.
 */
export const MAX_TOOL_NAME: Readonly<Record<Format, number>> = { chat: 64, responses: 64, messages: 128 };

/** Returns the pattern of names that have at most so many characters. */
export function toolNamePattern(maxLength: number): RegExp {
  return new RegExp(`^${CHARACTERS}{1,${maxLength}}$`);
}
