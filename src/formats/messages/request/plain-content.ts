import type { JsonObject } from "../../shared/json.ts";

/** Returns blocks as content: a lone block of plain text as a string, which means the same. */
export function plainContent(blocks: JsonObject[]): string | JsonObject[] {
  const [only] = blocks;
  if (only === undefined || blocks.length > 1 || Object.keys(only).length !== 2) return blocks;
  return only["type"] === "text" && typeof only["text"] === "string" ? only["text"] : blocks;
}
