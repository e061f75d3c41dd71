import { isJsonObject, type JsonObject } from "../../shared/json.ts";

/** Places in documents: the type of Messages, and its names of where what is cited begins and ends. */
const PLACES = [
  ["documentChar", "char_location", "start_char_index", "end_char_index"],
  ["documentPage", "page_location", "start_page_number", "end_page_number"],
  ["documentChunk", "content_block_location", "start_block_index", "end_block_index"],
] as const;

const TYPES: ReadonlySet<unknown> = new Set(PLACES.map(([, type]) => type));

/**
 * Returns a citation of a document as Messages has it: Claude's own, whose numbers Converse passes on as they are.
 * Returns one of anything else as it is. Source: Citation of @aws-sdk/client-bedrock-runtime.
 */
export function decodeCitation(citation: JsonObject): JsonObject {
  const { title, sourceContent, location, ...others } = citation;
  for (const [name, type, start, end] of PLACES) {
    const place = isJsonObject(location) ? location[name] : undefined;
    if (!isJsonObject(place)) continue;
    const { documentIndex, start: from, end: to } = place;
    const isWhole = [documentIndex, from, to].every(Number.isSafeInteger);
    if (!isWhole) return citation;
    const about = { document_index: documentIndex, document_title: title ?? null, file_id: null };
    return { ...others, type, cited_text: textIn(sourceContent), ...about, [start]: from, [end]: to };
  }
  return citation;
}

/** Tells whether the JSON of an event is nothing but citations that were made here. */
export function isCitationsAlone({ citations, ...others }: JsonObject): boolean {
  const areDecoded = Array.isArray(citations) && citations.every((one) => isJsonObject(one) && TYPES.has(one["type"]));
  return areDecoded && Object.keys(others).length === 0;
}

function textIn(parts: unknown): string {
  const texts = Array.isArray(parts) ? parts.map((part) => (isJsonObject(part) ? part["text"] : undefined)) : [];
  return texts.filter((text) => typeof text === "string").join("");
}
