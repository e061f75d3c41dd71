import { type ContentBlock, Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { hasResult, readSearchPart, type SearchPart } from "../../../hub/web-search/read-search.ts";
import { type SearchPlace, writeSearchId } from "../../../hub/web-search/search-id.ts";
import type { JsonObject } from "../../shared/json.ts";

/** The two blocks of a web search. */
export interface SearchBlocks {
  readonly call: JsonObject;
  readonly input: JsonObject;
  readonly result: JsonObject;
}

/**
 * Encodes a web search that the provider of another format ran; undefined for any other block, and for one that tells
 * not all that the format has to say. Titles and contents of pages, which the other format does not tell, are empty.
 */
export function encodeSearch({ kind }: ContentBlock, place: SearchPlace): SearchBlocks | undefined {
  if (kind.case !== "opaque" || kind.value.dialect === Dialect.MESSAGES) return undefined;
  const part = readSearchPart(kind.value);
  if (part === undefined || !hasResult(part)) return undefined;
  const id = writeSearchId(Dialect.MESSAGES, place);
  const caller = { type: "direct" };
  return {
    call: { type: "server_tool_use", id, name: "web_search", input: {}, caller },
    input: { query: part.queries?.[0] },
    result: { type: "web_search_tool_result", tool_use_id: id, content: encodeResult(part), caller },
  };
}

/** The other format does not say why a search failed. */
function encodeResult({ pages, isFailed }: SearchPart): JsonObject | JsonObject[] {
  if (isFailed) return { type: "web_search_tool_result_error", error_code: "unavailable" };
  const unknownMembers = { title: "", encrypted_content: "", page_age: null };
  return (pages ?? []).map(({ url }) => ({ type: "web_search_result", url, ...unknownMembers }));
}
