import { create } from "@bufbuild/protobuf";
import { Dialect, type RawJson, RawJsonSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { type JsonObject, parseJsonObject } from "../shared/json.ts";

/** Wraps members that only the Embeddings format knows; undefined if there are none. */
export function embeddingsJson(members: JsonObject | undefined): RawJson | undefined {
  if (members === undefined) return undefined;
  return create(RawJsonSchema, { dialect: Dialect.EMBEDDINGS, json: JSON.stringify(members) });
}

/** Returns what is wrapped if it belongs to the Embeddings format; otherwise undefined. */
export function readEmbeddingsJson(raw: RawJson | undefined): JsonObject | undefined {
  return raw?.dialect === Dialect.EMBEDDINGS ? parseJsonObject(raw.json) : undefined;
}
