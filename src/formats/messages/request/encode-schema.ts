import type { JsonSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import { type JsonObject, parseJsonObject } from "../../shared/json.ts";
import { UNNAMED_SCHEMA } from "../../shared/unnamed-schema.ts";
import type { EncodeContext } from "./encode-context.ts";

/**
 * Encodes the schema of an answer. The format has it bare: its name and description go into the schema's own `title`
 * and `description`, where a model reads the same words. It always binds, which a caller who does not insist on it
 * allows.
 */
export function encodeSchema({ name, description, schemaJson }: JsonSchema, context: EncodeContext): JsonObject {
  const schema = parseJsonObject(schemaJson);
  if (schema === undefined)
    throw InferenceError.invalid("output_format.json_schema.schema_json", "must be a JSON object");
  const isNamed = name !== "" && name !== UNNAMED_SCHEMA;
  // A title that is there says what the name would.
  if (isNamed && schema["title"] === undefined) schema["title"] = name;
  if (description === undefined || description === schema["description"]) return { type: "json_schema", schema };
  if (schema["description"] === undefined) schema["description"] = description;
  else context.losses.at("output_format.description");
  return { type: "json_schema", schema };
}
