import { isJsonObject, type JsonObject, toObject } from "../../shared/json.ts";
import type { LossList } from "../../shared/losses.ts";

/** Anthropic: "input_schema does not support oneOf, allOf, or anyOf at the top level"; OpenAI takes them. */
const UNIONS = ["oneOf", "anyOf", "allOf"] as const;

/**
 * Fits the schema of a function's arguments to the format, which takes one object: the properties of all branches
 * become its own, and what they demand or rule out is lost. `place` is the schema's in the request.
 */
export function fitInputSchema(schema: JsonObject, place: string, losses: LossList): JsonObject {
  const typed = withType(schema);
  return UNIONS.some((name) => typed[name] !== undefined) ? joinBranches(typed, place, losses) : typed;
}

/** The format demands the type; a schema of a function's arguments without one means it, and none of them is null. */
function withType(schema: JsonObject): JsonObject {
  if (schema["type"] === undefined) return { type: "object", ...schema };
  return Array.isArray(schema["type"]) ? { ...schema, type: "object" } : schema;
}

function joinBranches(schema: JsonObject, place: string, losses: LossList): JsonObject {
  const joined = { ...schema };
  for (const name of UNIONS) {
    const branches = schema[name];
    if (branches === undefined) continue;
    delete joined[name];
    losses.at(`${place}.${name}`);
    for (const branch of Array.isArray(branches) ? branches.filter(isJsonObject) : []) {
      joined["properties"] = { ...toObject(branch["properties"]), ...toObject(joined["properties"]) };
    }
  }
  return joined;
}
