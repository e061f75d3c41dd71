import type { JsonSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import { fitSchema } from "../../shared/fit-schema.ts";
import { type JsonObject, parseJsonObject } from "../../shared/json.ts";
import { ANTHROPIC_SUBSET } from "../../shared/schema-subset.ts";
import { UNNAMED_SCHEMA } from "../../shared/unnamed-schema.ts";
import type { EncodeContext } from "./encode-context.ts";

/**
 * Encodes the schema of an answer. It always binds, which a caller who does not insist on it allows. One that the
 * format cannot hold a model to is lost with the form of the answer: undefined. The format's own callers are left to
 * the upstream, whose words they use.
 */
export function encodeSchema(format: JsonSchema, context: EncodeContext): JsonObject | undefined {
  const schema = namedSchema(format, context);
  if (context.native) return { type: "json_schema", schema };
  const asked = { schema, strict: true, place: "output_format.schema_json", strictPlace: "output_format" };
  const fitted = fitSchema(asked, ANTHROPIC_SUBSET, context.losses);
  return fitted.strict ? { type: "json_schema", schema: fitted.schema } : undefined;
}

/**
 * Returns the schema with what the other formats say beside it: name and description go into its own `title` and
 * `description`, where a model reads the same words.
 */
function namedSchema({ name, description, schemaJson }: JsonSchema, context: EncodeContext): JsonObject {
  const schema = parseJsonObject(schemaJson);
  if (schema === undefined)
    throw InferenceError.invalid("output_format.json_schema.schema_json", "must be a JSON object");
  const isNamed = name !== "" && name !== UNNAMED_SCHEMA;
  // A title that is there says what the name would.
  if (isNamed && schema["title"] === undefined) schema["title"] = name;
  if (description === undefined || description === schema["description"]) return schema;
  if (schema["description"] === undefined) schema["description"] = description;
  else context.losses.at("output_format.description");
  return schema;
}
