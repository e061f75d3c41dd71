import { isObject } from "../../../../../lib/is-object.ts";
import type { Draft, Turn } from "../draft.ts";
import { compact, type JsonObject } from "./json.ts";

/** A function that a model may call. */
interface FunctionTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters: JsonObject;
}

/** A draft whose texts are read; undefined was not set. */
export interface Settings {
  readonly model: string;
  readonly system: string | undefined;
  readonly turns: readonly Pick<Turn, "role" | "text">[];
  readonly streams: boolean;
  readonly maxTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly effort: string | undefined;
  readonly tools: readonly FunctionTool[] | undefined;
  readonly schema: JsonObject | undefined;
}

/** The problems of a draft, by member. */
export type DraftErrors = Partial<Record<"maxTokens" | "temperature" | "tools" | "schema", string>>;

/** Reads a draft. What only the service can judge, as a name or a bound, is left to it. */
export function readDraft(draft: Draft): { readonly settings: Settings; readonly errors: DraftErrors } {
  const errors: DraftErrors = {};
  const read = <Value>(name: keyof DraftErrors, parse: (text: string) => Value): Value | undefined => {
    if (draft[name].trim() === "") return undefined;
    try {
      return parse(draft[name]);
    } catch (error) {
      errors[name] = error instanceof Error ? error.message : String(error);
      return undefined;
    }
  };
  const settings = {
    model: draft.model,
    system: draft.system === "" ? undefined : draft.system,
    turns: draft.turns,
    streams: draft.streams,
    maxTokens: read("maxTokens", parseNumber),
    temperature: read("temperature", parseNumber),
    effort: draft.effort === "" ? undefined : draft.effort,
    tools: read("tools", parseTools),
    schema: read("schema", parseObject),
  };
  return { settings, errors };
}

function parseNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new Error("must be a number");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`isn't JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function parseObject(text: string): JsonObject {
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new Error("must be a JSON object");
}

function parseTools(text: string): FunctionTool[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) throw new Error("must be an array of functions");
  return value.map((tool: unknown, index) => {
    if (!isObject(tool)) throw new Error(`[${index}] must be an object`);
    const { name, description, parameters = { type: "object", properties: {} }, ...others } = tool;
    const [other] = Object.keys(others);
    if (other !== undefined) throw new Error(`[${index}].${other} is not known: name, description and parameters are`);
    if (typeof name !== "string") throw new Error(`[${index}].name must be a text`);
    if (description !== undefined && typeof description !== "string") {
      throw new Error(`[${index}].description must be a text`);
    }
    if (!isObject(parameters)) throw new Error(`[${index}].parameters must be a JSON schema`);
    return compact({ name, description, parameters }) as unknown as FunctionTool;
  });
}
