import type { UpstreamKind } from "../../test/support/upstream-frames.ts";

/** A tool that a model is offered. */
export interface OfferedTool {
  readonly name: string;
  /** What it is called within. */
  readonly namespace?: string;
  /** `function`, `custom`, or the type of a tool that the server runs. */
  readonly type: string;
  /** Names of its members. */
  readonly members: readonly string[];
}

/** A turn of a conversation. */
export interface Turn {
  readonly isUser: boolean;
  /** The text of a user's turn; empty where it holds results only. */
  readonly text: string;
  /** The turn as it was sent. */
  readonly json: string;
}

/** What a model is asked with, in any of the three formats. */
export interface Conversation {
  readonly tools: readonly OfferedTool[];
  readonly turns: readonly Turn[];
}

type Json = Readonly<Record<string, unknown>>;

/** Reads the body of a request to an upstream. */
export function readConversation(kind: UpstreamKind, body: Json): Conversation {
  const input = listOf(kind === "responses" ? body["input"] : body["messages"]);
  const brought = input.filter((item) => item["type"] === "additional_tools");
  return {
    tools: [body, ...brought].flatMap((each) => listOf(each["tools"])).flatMap((tool) => toolsIn(tool)),
    turns: input.map((turn) => ({
      isUser: isUser(turn),
      text: isUser(turn) ? textOf(turn["content"]) : "",
      json: JSON.stringify(turn),
    })),
  };
}

/** Other agents tell a model its task as users do. */
function isUser({ role, type }: Json): boolean {
  return role === "user" || type === "agent_message";
}

function toolsIn(tool: Json, namespace?: string): OfferedTool[] {
  if (tool["type"] === "namespace") return listOf(tool["tools"]).flatMap((each) => toolsIn(each, String(tool["name"])));
  const fn = recordOf(tool["function"] ?? tool);
  const schema = recordOf(fn["parameters"] ?? fn["input_schema"]);
  const type = String(tool["type"] ?? "function");
  const members = Object.keys(recordOf(schema["properties"]));
  return [{ name: String(fn["name"] ?? type), type, members, ...(namespace !== undefined && { namespace }) }];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("\n");
}

function recordOf(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function listOf(value: unknown): readonly Json[] {
  if (typeof value === "string") return [{ role: "user", content: value }];
  return Array.isArray(value) ? value.map(recordOf) : [];
}
