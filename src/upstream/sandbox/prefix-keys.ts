import { createHash } from "node:crypto";
import { toJson } from "@bufbuild/protobuf";
import {
  ContentBlockSchema,
  OutputFormatSchema,
  ToolChoiceSchema,
  ToolSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../formats/shared/json.ts";
import type { PromptBlock } from "./prompt-blocks.ts";

/**
 * Makes the key of each prefix of a prompt: equal if and only if all blocks up to there are, and the settings that the
 * prefix depends on. `owner` tells apart who may share. Marks are no part of a block.
 */
export function prefixKeys(input: InferenceInput, blocks: readonly PromptBlock[], owner: readonly string[]): string[] {
  let key = digest(owner);
  let section: PromptBlock["section"] = "tools";
  const enter = (next: PromptBlock["section"]): void => {
    if (section === "tools" && next !== "tools") key = digest([key, "system", systemSettings(input)]);
    if (section !== "messages" && next === "messages") key = digest([key, "messages", messageSettings(input)]);
    section = next;
  };
  return blocks.map((block) => {
    enter(block.section);
    key = digest([key, getContent(block)]);
    return key;
  });
}

/** Returns the settings whose change invalidates system and messages, and leaves the tools. */
function systemSettings({ extension, outputFormat }: InferenceInput): unknown {
  const { speed = null } = parseJsonObject(extension?.json ?? "{}") ?? {};
  return [speed, outputFormat === undefined ? null : toJson(OutputFormatSchema, outputFormat)];
}

/**
 * Returns the settings whose change invalidates the messages alone: tool choice, thinking, and whether there are
 * images.
 */
function messageSettings({ toolChoice, parallelToolCalls, reasoning, messages }: InferenceInput): unknown {
  return [
    toolChoice === undefined ? null : toJson(ToolChoiceSchema, toolChoice),
    parallelToolCalls ?? null,
    reasoning?.mode ?? null,
    reasoning?.budgetTokens ?? null,
    messages.some(({ content }) => content.some(({ kind }) => kind.case === "image")),
  ];
}

function getContent(block: PromptBlock): unknown {
  if (block.section === "tools") return withoutMarks(toJson(ToolSchema, block.tool));
  const content = withoutMarks(toJson(ContentBlockSchema, block.block));
  return block.section === "system" ? content : [block.role, content];
}

/** Leaves marks out, wherever they stand, and what a format knows of them beyond the hub. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isJsonObject(value)) return value;
  const included: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    if (name === "cacheMark") continue;
    included[name] =
      (name === "extension" || name === "opaque") && isJsonObject(member) ? ownJson(member) : withoutMarks(member);
  }
  return included;
}

function ownJson({ json, ...rest }: JsonObject): unknown {
  const members = typeof json === "string" ? parseJsonObject(json) : undefined;
  if (members === undefined) return { ...rest, json };
  const { cache_control: _mark, ...others } = members;
  return Object.keys(others).length === 0 ? {} : { ...rest, members: others };
}

function digest(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
