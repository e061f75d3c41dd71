import type { Attributes } from "@opentelemetry/api";
import {
  type ContentBlock,
  type Message,
  Role,
  type Tool,
  type ToolUseBlock,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { Content } from "../telemetry.ts";
import * as names from "./names.ts";

/** Most characters of the texts of an attribute; one with more is left out. */
const MOST_CHARACTERS = 65_536;

/** A part of a message, as the conventions of GenAI have it. */
type Part = Readonly<Record<string, unknown>>;

/** Returns prompt and answer in the JSON of the conventions. What is too long is left out, and said so. */
export function contentAttributes({ input, output }: Content): Attributes {
  const { finished } = output;
  const inputMessages = writeWithin((add) => input.messages.map((message) => describeMessage(message, add)));
  const system = writeWithin((add) => input.system.map((block) => describePart(block, add)));
  const outputMessages = writeWithin((add) => [
    {
      role: "assistant",
      parts: output.content.map((block) => describePart(block, add)),
      finish_reason: finished === undefined ? "error" : FINISH_REASONS[finished.reason],
    },
  ]);
  const tools = writeWithin((add) => input.tools.map((tool) => describeTool(tool, add)));
  const isOmitted = [inputMessages, system, outputMessages, tools].includes(undefined);
  return {
    [names.INPUT_MESSAGES]: inputMessages,
    [names.SYSTEM_INSTRUCTIONS]: input.system.length === 0 ? undefined : system,
    [names.OUTPUT_MESSAGES]: outputMessages,
    [names.TOOL_DEFINITIONS]: input.tools.length === 0 ? undefined : tools,
    "attune.content.omitted": isOmitted || undefined,
  };
}

/** The words of the conventions' schema of messages, which has five. */
const FINISH_REASONS: Readonly<Record<FinishReason, string>> = {
  [FinishReason.UNSPECIFIED]: "error",
  [FinishReason.STOP]: "stop",
  [FinishReason.STOP_SEQUENCE]: "stop",
  [FinishReason.LENGTH]: "length",
  [FinishReason.CONTEXT_WINDOW]: "length",
  [FinishReason.TOOL_USE]: "tool_call",
  [FinishReason.CONTENT_FILTER]: "content_filter",
  [FinishReason.REFUSAL]: "content_filter",
  [FinishReason.PAUSE]: "stop",
};

class TooLong extends Error {}

/** Counts a text, and returns it. */
type Add = (text: string) => string;

/** Returns JSON; undefined where its texts are too long, which is found without writing them. */
function writeWithin(describe: (add: Add) => unknown): string | undefined {
  let characters = 0;
  const add: Add = (text) => {
    characters += text.length;
    if (characters > MOST_CHARACTERS) throw new TooLong();
    return text;
  };
  try {
    return JSON.stringify(describe(add));
  } catch (thrown) {
    if (thrown instanceof TooLong) return undefined;
    throw thrown;
  }
}

const ROLES: Partial<Record<Role, string>> = { [Role.USER]: "user", [Role.ASSISTANT]: "assistant" };

function describeMessage({ role, content }: Message, add: Add): Part {
  const isToolResult = content.length > 0 && content.every(({ kind }) => kind.case === "toolResult");
  return {
    role: isToolResult ? "tool" : (ROLES[role] ?? "system"),
    parts: content.map((block) => describePart(block, add)),
  };
}

/** Files are named by their kind alone. */
function describePart({ kind }: ContentBlock, add: Add): Part {
  switch (kind.case) {
    case "text":
    case "refusal":
      return { type: "text", content: add(kind.value.text) };
    case "thinking":
      // Most upstreams show a summary alone.
      return { type: "reasoning", content: add(kind.value.text || kind.value.summary.join("\n\n")) };
    case "redactedThinking":
      return { type: "reasoning", content: "" };
    case "toolUse":
      return { type: "tool_call", id: kind.value.id, name: kind.value.name, arguments: readArguments(kind.value, add) };
    case "toolResult":
      return {
        type: "tool_call_response",
        id: kind.value.toolUseId,
        response: kind.value.content.map((block) => describePart(block, add)),
      };
    default:
      return { type: kind.case ?? "unknown" };
  }
}

/** Returns the arguments of a call as an object; the text of a call that has none. */
function readArguments({ arguments: text }: ToolUseBlock, add: Add): unknown {
  add(text);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : text;
  } catch {
    return text;
  }
}

/** Tools are named by their kind and name: the conventions leave the rest to those who ask for it. */
function describeTool({ kind }: Tool, add: Add): Part {
  if (kind.case === "function" || kind.case === "custom") return { type: kind.case, name: add(kind.value.name) };
  return { type: kind.case ?? "unknown" };
}
