import { isJsonObject, type JsonObject, toObject } from "../../shared/json.ts";

/** Places in documents: the type of Messages, and its names of where what is cited begins and ends. */
const PLACES = [
  ["documentChar", "char_location", "start_char_index", "end_char_index"],
  ["documentPage", "page_location", "start_page_number", "end_page_number"],
  ["documentChunk", "content_block_location", "start_block_index", "end_block_index"],
] as const;

const TYPES: ReadonlySet<unknown> = new Set(PLACES.map(([, type]) => type));

/**
 * Returns a citation of a document as Messages has it: Claude's own, whose numbers Converse passes on as they are.
 * Returns one of anything else, or one that says more, as it is. Source: Citation of @aws-sdk/client-bedrock-runtime.
 */
export function decodeCitation(citation: JsonObject): JsonObject {
  const { title, sourceContent = [], location, ...others } = citation;
  const texts = getTexts(sourceContent);
  if (!isJsonObject(location) || Object.keys(location).length !== 1 || texts === undefined) return citation;
  for (const [name, type, start, end] of PLACES) {
    const { documentIndex, start: from, end: to, ...further } = toObject(location[name]);
    const isWhole = [documentIndex, from, to].every(Number.isSafeInteger) && Object.keys(further).length === 0;
    if (!isWhole) continue;
    const about = { document_index: documentIndex, document_title: title ?? null, file_id: null };
    return { ...others, type, cited_text: texts.join(""), ...about, [start]: from, [end]: to };
  }
  return citation;
}

/** Tells whether the JSON of an event is nothing but citations that were made here. */
export function isCitationsAlone({ citations, ...others }: JsonObject): boolean {
  const areDecoded = Array.isArray(citations) && citations.every((one) => isJsonObject(one) && TYPES.has(one["type"]));
  return areDecoded && Object.keys(others).length === 0;
}

/** Returns the texts of a list of nothing else. */
function getTexts(parts: unknown): string[] | undefined {
  if (!Array.isArray(parts)) return undefined;
  const texts = parts.flatMap((part) =>
    isJsonObject(part) && Object.keys(part).length === 1 && typeof part["text"] === "string" ? part["text"] : [],
  );
  return texts.length === parts.length ? texts : undefined;
}
