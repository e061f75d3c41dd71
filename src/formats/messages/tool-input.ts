import { isJsonObject } from "../shared/json.ts";

/**
 * Returns the arguments of a tool call as they are if they are the text of a JSON object, so that key order, spelling
 * of numbers and repeated keys stay; undefined for anything else.
 */
export function toolInputText(argumentsText: string): string | undefined {
  try {
    return isJsonObject(JSON.parse(argumentsText)) ? argumentsText : undefined;
  } catch {
    return undefined;
  }
}
