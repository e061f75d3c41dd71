import { Dialect, type RawJson } from "../../../gen/attune/content/v1/content_pb.ts";
import { parseJsonObject } from "../shared/json.ts";

/** Tells by its extension whether a document came as a result of the caller's own search: its `source` is a text. */
export function isSearchResult(extension: RawJson | undefined): boolean {
  return extension?.dialect === Dialect.MESSAGES && typeof parseJsonObject(extension.json)?.["source"] === "string";
}
