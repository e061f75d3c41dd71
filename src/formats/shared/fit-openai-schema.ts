import { Dialect, type FunctionTool, type JsonSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { fitSchema, type SchemaToFit } from "./fit-schema.ts";
import { type JsonObject, parseJsonObject } from "./json.ts";
import type { LossList } from "./losses.ts";
import { OPENAI_SUBSET } from "./schema-subset.ts";

/** The schema of a function without parameters. */
export const NO_PARAMETERS = '{"type":"object","properties":{}}';

interface FitContext {
  readonly dialect: Dialect;
  readonly losses: LossList;
}

/**
 * Returns the schema of an answer, and its `strict`, for an upstream of an OpenAI format and a caller of another one.
 * Messages always holds to a schema and has no word for it: its callers get the same.
 */
export function fitAnswerSchema(
  { strict }: Pick<JsonSchema, "strict">,
  schema: JsonObject,
  { dialect, losses }: FitContext,
): Pick<SchemaToFit, "schema" | "strict"> {
  const isBinding = strict ?? (dialect === Dialect.MESSAGES || undefined);
  const places = { place: "output_format.schema_json", strictPlace: "output_format.strict" };
  return fitSchema({ schema, strict: isBinding, ...places }, OPENAI_SUBSET, losses);
}

/**
 * Returns the parameters of a caller of another format as OpenAI takes them: it refuses an object that names no
 * properties ("object schema missing properties"), and tools of MCP without parameters are such.
 */
export function withProperties(parametersJson: string): string {
  // Nearly all have some, and need no look inside.
  if (parametersJson.includes('"properties"')) return parametersJson;
  const isObject = parseJsonObject(parametersJson)?.type === "object";
  return isObject ? parametersJson.replace("{", '{"properties":{},') : parametersJson;
}

/**
 * Returns the parameters of a strict function, and its `strict`, for an upstream of an OpenAI format and a caller of
 * another one; undefined for a function that is not strict, whose parameters go on as they are.
 */
export function fitParameters(
  { parametersJson = NO_PARAMETERS, strict }: Pick<FunctionTool, "parametersJson" | "strict">,
  path: string,
  losses: LossList,
): Pick<SchemaToFit, "schema" | "strict"> | undefined {
  if (strict !== true) return undefined;
  const schema = parseJsonObject(withProperties(parametersJson));
  if (schema === undefined) return undefined;
  const places = { place: `${path}.parameters_json`, strictPlace: `${path}.strict` };
  return fitSchema({ schema, strict, ...places }, OPENAI_SUBSET, losses);
}
