import { create } from "@bufbuild/protobuf";
import { type Tool, ToolSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import { extraMembers, isJsonObject, type JsonObject } from "../json.ts";
import { readResponsesJson, responsesJson } from "../responses-json.ts";

/** A tool inside of a namespace. */
interface InnerTool {
  /** As a tool without a namespace; undefined for one of a kind that the hub does not model. */
  readonly tool: Tool | undefined;
  /** Empty if the tool has none. */
  readonly name: string;
  /** Place in the hub's request. */
  readonly path: string;
}

/** A group of tools, as the Responses format has it. */
export interface Namespace {
  readonly name: string;
  readonly description: string | undefined;
  readonly tools: readonly InnerTool[];
  /** Members that say something else. */
  readonly rest: JsonObject | undefined;
}

const NAMESPACE = new Set(["type", "name", "description", "tools"]);
const FUNCTION = new Set(["type", "name", "description", "parameters", "strict"]);
const CUSTOM = new Set(["type", "name", "description", "format"]);

/**
 * Reads a tool that is a namespace; undefined if it is none. Throws INVALID_REQUEST for a tool in it that cannot be
 * read.
 */
export function readNamespace({ kind }: Tool, path: string): Namespace | undefined {
  const json = kind.case === "opaque" ? readResponsesJson(kind.value) : undefined;
  if (json?.["type"] !== "namespace" || typeof json["name"] !== "string" || !Array.isArray(json["tools"]))
    return undefined;
  const tools = json["tools"].map((tool: unknown, index) => readInner(tool, `${path}.extension.tools[${index}]`));
  const description = optional(json, { name: "description", path: `${path}.extension` }, isText);
  return { name: json["name"], description, tools, rest: extraMembers(json, NAMESPACE) };
}

/** Reads a tool; undefined for one of a kind that the hub does not model. Throws INVALID_REQUEST. */
export function readTool(json: unknown, path: string): Tool | undefined {
  return readInner(json, path).tool;
}

function readInner(json: unknown, path: string): InnerTool {
  if (!isJsonObject(json)) throw InferenceError.invalid(path, "must be an object");
  const { type } = json;
  if (type !== "function" && type !== "custom") return { tool: undefined, name: "", path };
  const name = optional(json, { name: "name", path }, isText) ?? "";
  if (name === "") throw InferenceError.invalid(`${path}.name`, "must be a text of at least one character");
  const description = optional(json, { name: "description", path }, isText);
  if (type === "custom") {
    const format = optional(json, { name: "format", path }, isJsonObject);
    const value = { name, description, formatJson: format && JSON.stringify(format) };
    return { tool: getTool({ case: "custom", value }, extraMembers(json, CUSTOM)), name, path };
  }
  const parameters = optional(json, { name: "parameters", path }, isJsonObject);
  const strict = optional(json, { name: "strict", path }, isBoolean);
  const value = { name, description, parametersJson: parameters && JSON.stringify(parameters), strict };
  return { tool: getTool({ case: "function", value }, extraMembers(json, FUNCTION)), name, path };
}

function getTool(kind: NonNullable<Parameters<typeof create<typeof ToolSchema>>[1]>["kind"], rest?: JsonObject): Tool {
  return create(ToolSchema, { kind, extension: responsesJson(rest) });
}

interface Member {
  readonly name: string;
  /** Place of the object. */
  readonly path: string;
}

/** Returns a member; undefined if it is not given. Throws INVALID_REQUEST if it is of another type. */
function optional<Value>(
  json: JsonObject,
  { name, path }: Member,
  isValue: (value: unknown) => value is Value,
): Value | undefined {
  const value = json[name];
  if (value === undefined || value === null) return undefined;
  if (isValue(value)) return value;
  throw InferenceError.invalid(`${path}.${name}`, "has the wrong type for this format");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}
