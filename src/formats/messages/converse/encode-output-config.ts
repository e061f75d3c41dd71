import type { ConverseAbilities } from "../../../hub/converse-abilities.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { jsonBytes } from "../../shared/json-bytes.ts";
import type { LossList } from "../../shared/losses.ts";

/**
 * Encodes `output_config` of a body of Messages, whose schemas are of the same kind
 * (docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html), and whose efforts are the same words;
 * undefined if nothing is left of it.
 */
export function encodeOutputConfig(
  { effort, format, ...others }: JsonObject,
  { structuredOutput, effort: takesEffort }: Pick<ConverseAbilities, "structuredOutput" | "effort">,
  losses: LossList,
): JsonObject | undefined {
  if (effort !== undefined && !takesEffort) losses.at("reasoning.effort");
  for (const name of Object.keys(others)) losses.at(`extension.output_config.${name}`);
  const encoded = {
    ...(takesEffort && effort !== undefined && { effort }),
    ...(format !== undefined && encodeFormat(format, structuredOutput, losses)),
  };
  return Object.keys(encoded).length > 0 ? encoded : undefined;
}

function encodeFormat(format: unknown, isTaken: boolean, losses: LossList): JsonObject | undefined {
  const { type, schema, ...ofFormat } = isJsonObject(format) ? format : {};
  if (!isTaken || type !== "json_schema" || !isJsonObject(schema)) {
    losses.at("output_format");
    return undefined;
  }
  for (const name of Object.keys(ofFormat)) losses.at(`extension.output_config.format.${name}`);
  // The schema is a text in JSON.
  const jsonSchema = { schema: jsonBytes(schema).toString("utf8") };
  return { textFormat: { type: "json_schema", structure: { jsonSchema } } };
}
