import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import type { LossList } from "../../shared/losses.ts";
import type { BodyLosses } from "./body-losses.ts";
import type { CachePoints } from "./cache-points.ts";

/** Members of a function that are read here, but `strict`; `type` says nothing more of one. */
const READ: ReadonlySet<string> = new Set(["type", "name", "description", "input_schema", "cache_control"]);

/** The schema of a tool of which the name alone is known. */
const ANY_INPUT = { json: { type: "object" } };

interface ToolFacts {
  readonly losses: LossList;
  readonly bodyLosses: BodyLosses;
  readonly points: CachePoints;
  /** True if tools may bind. */
  readonly takesStrict: boolean;
  /** The tools that the conversation calls, which Converse takes only beside tools. */
  readonly called: ReadonlySet<unknown>;
}

/**
 * Encodes tools and their choice; undefined where the model is told of none. Tools of a provider are losses. Where
 * calls of the conversation would be refused for want of tools, the model is told of those that were called, which is
 * a loss: it may call them again.
 */
export function encodeTools(
  { tools: sentTools, tool_choice: choice }: JsonObject,
  facts: ToolFacts,
): JsonObject | undefined {
  const { losses, called } = facts;
  const tools = (Array.isArray(sentTools) ? sentTools : []).flatMap((tool, index) =>
    isJsonObject(tool) ? encodeTool(tool, `tools[${index}]`, facts) : [],
  );
  const asObject = isJsonObject(choice) ? choice : {};
  const { type, name, disable_parallel_tool_use: isOneByOne, ...others } = asObject;
  if (tools.length === 0) {
    if (called.size === 0) return undefined;
    losses.at("tool_choice");
    return { tools: [...called].map((calledName) => ({ toolSpec: { name: calledName, inputSchema: ANY_INPUT } })) };
  }
  if (Object.keys(others).length > 0) losses.at("tool_choice");
  if (isOneByOne === true) losses.at("parallel_tool_calls");
  if (type === "none") {
    if (called.size === 0) return undefined;
    losses.at("tool_choice");
  }
  if (type === "none" || choice === undefined) return { tools };
  const toolChoice = encodeChoice(type, name);
  if (toolChoice === undefined) losses.at("tool_choice");
  return { tools, ...(toolChoice && { toolChoice }) };
}

function encodeChoice(type: unknown, name: unknown): JsonObject | undefined {
  if (type === "auto") return { auto: {} };
  if (type === "any") return { any: {} };
  return type === "tool" ? { tool: { name } } : undefined;
}

function encodeTool(tool: JsonObject, path: string, { bodyLosses, points, takesStrict }: ToolFacts): JsonObject[] {
  const { type, name, description, input_schema: json, strict, cache_control: mark } = tool;
  if (json === undefined || (type !== undefined && type !== "custom")) {
    bodyLosses.at(path);
    return [];
  }
  for (const [member, value] of Object.entries(tool)) {
    if (READ.has(member) || value === undefined) continue;
    if (member !== "strict") bodyLosses.member(path, member);
    else if (!takesStrict) bodyLosses.at(`${path}.strict`);
  }
  const at = { path, place: `${path}.cache_mark`, losses: bodyLosses };
  // An empty description is refused.
  const descriptionMember = typeof description === "string" && description !== "" ? { description } : {};
  const binding = takesStrict && typeof strict === "boolean" ? { strict } : {};
  return [{ toolSpec: { name, ...descriptionMember, inputSchema: { json }, ...binding } }, ...points.ofTool(mark, at)];
}
