import {
  type CacheMark,
  type ContentBlock,
  Dialect,
  type Message,
  Role,
  type ThinkingBlock,
  ToolKind,
  type ToolResultBlock,
  type ToolUseBlock,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import { readSearchPart } from "../../../hub/web-search/read-search.ts";
import { isOwnSearch } from "../../../hub/web-search/search-id.ts";
import { argumentsText } from "../../shared/arguments-text.ts";
import { hashedCallId } from "../../shared/hashed-call-id.ts";
import type { JsonObject } from "../../shared/json.ts";
import { isUnreadable } from "../../shared/reasoning-path.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";
import { reasoningMembers } from "../reasoning-item.ts";
import type { EncodeContext } from "./encode-context.ts";
import { encodePart, textPart } from "./encode-part.ts";

/** Characters that a `call_id` may have. */
const MAX_LENGTH = 64;

/** Maps the identifier of a tool call to one that is short enough for a `call_id`. */
function callIdFromToolUse(id: string): string {
  return id.length <= MAX_LENGTH ? id : hashedCallId(id, MAX_LENGTH);
}

const ROLE_NAMES: Partial<Record<Role, string>> = {
  [Role.SYSTEM]: "system",
  [Role.DEVELOPER]: "developer",
  [Role.USER]: "user",
  [Role.ASSISTANT]: "assistant",
};

/**
 * Encodes the conversation as items. A message of another format becomes as many items as it has calls, results and
 * texts between them.
 */
export function encodeItems({ messages }: InferenceInput, context: EncodeContext): JsonObject[] {
  return messages.flatMap((message, index) => encodeMessage(message, `messages[${index}]`, context));
}

function encodeMessage(message: Message, path: string, context: EncodeContext): JsonObject[] {
  settleResults(message, path, context);
  const items = splitItems(message, context).flatMap((blocks) => encodeRun(blocks, { message, path }, context));
  // Only an item of this format has an id and members of its own, and it is one message.
  if (context.native) return items.map((item) => ({ ...item, ...context.losses.own(message.extension) }));
  context.losses.lose(message.extension, path);
  return items;
}

/** Positions of blocks that make one item: neighbouring parts of a message stand together, other blocks alone. */
function splitItems({ content }: Message, { native }: EncodeContext): number[][] {
  if (native && content.length === 0) return [[]];
  const runs: number[][] = [];
  let open: number[] | undefined;
  for (const [index, block] of content.entries()) {
    if (isItem(block)) {
      open = undefined;
      runs.push([index]);
    } else if (open === undefined) {
      open = [index];
      runs.push(open);
    } else open.push(index);
  }
  return runs;
}

function isItem(block: ContentBlock): boolean {
  const isKnown = ["toolUse", "toolResult", "thinking", "redactedThinking"].includes(block.kind.case ?? "");
  return isKnown || isSearchItem(block);
}

/** A search of this format stands among the blocks of an answer that an RPC caller sends back. */
function isSearchItem({ kind }: ContentBlock): boolean {
  return kind.case === "opaque" && readSearchPart(kind.value)?.dialect === Dialect.RESPONSES;
}

/** A recalled item says all that the block behind it says, which was made of it for a caller of Messages. */
function settleResults({ content }: Message, path: string, { losses }: EncodeContext): void {
  for (const [index, { kind }] of content.entries()) {
    const before = content[index - 1];
    if (kind.case !== "opaque" || before === undefined || !isSearchItem(before)) continue;
    if (isOwnSearch(kind.value)) losses.settle(`${path}.content[${index}]`);
  }
}

interface Source {
  readonly message: Message;
  readonly path: string;
}

function encodeRun(indexes: readonly number[], source: Source, context: EncodeContext): JsonObject[] {
  const { message, path } = source;
  const [first] = indexes;
  const block = first === undefined ? undefined : message.content[first];
  if (first === undefined || block === undefined || !isItem(block)) return encodeMessageItem(indexes, source, context);
  return encodeItem(block, { id: message.id, path: `${path}.content[${first}]` }, context);
}

function encodeItem(block: ContentBlock, at: { id: string; path: string }, context: EncodeContext): JsonObject[] {
  const { kind } = block;
  const id = at.id === "" || !context.native ? {} : { id: at.id };
  const extension = context.losses.own(block.extension);
  if (kind.case !== "toolResult") context.breakpoints.lose(block.cacheMark, at.path);
  switch (kind.case) {
    case "toolUse":
      return [{ ...encodeCall(kind.value, context), ...id, ...extension }];
    case "toolResult":
      return [{ ...encodeResult(kind.value, { path: at.path, mark: block.cacheMark }, context), ...id, ...extension }];
    case "opaque":
      return encodeOpaqueItem(block, at.path, context);
    case "thinking":
      if (isUnreadable(block)) return loseItem(at.path, context);
      return encodeThinking(kind.value, at.path, { context, isOwn: context.ownReasoning.has(block) }).map((item) => ({
        ...item,
        ...extension,
      }));
    case "redactedThinking":
      if (isUnreadable(block)) return loseItem(at.path, context);
      return [{ type: "reasoning", ...id, summary: [], encrypted_content: kind.value.data, ...extension }];
    default:
      return [];
  }
}

function loseItem(path: string, { losses }: EncodeContext): JsonObject[] {
  losses.at(path);
  return [];
}

function encodeCall({ id, name, arguments: input, kind }: ToolUseBlock, { native }: EncodeContext): JsonObject {
  const callId = native ? id : callIdFromToolUse(id);
  return kind === ToolKind.CUSTOM
    ? { type: "custom_tool_call", call_id: callId, name, input }
    : { type: "function_call", call_id: callId, name, arguments: argumentsText(input) };
}

interface ResultPlace {
  readonly path: string;
  readonly mark: CacheMark | undefined;
}

function encodeResult(result: ToolResultBlock, place: ResultPlace, context: EncodeContext): JsonObject {
  const { native } = context;
  return {
    type: result.kind === ToolKind.CUSTOM ? "custom_tool_call_output" : "function_call_output",
    ...(result.toolUseId !== "" && { call_id: native ? result.toolUseId : callIdFromToolUse(result.toolUseId) }),
    output: encodeOutput(result, place, context),
  };
}

/** The format has no slot for failure, so that a failed tool's output begins with the word. */
function encodeOutput(
  { content, isError }: ToolResultBlock,
  { path, mark }: ResultPlace,
  context: EncodeContext,
): unknown {
  const { breakpoints } = context;
  const failure = isError ? "Error: " : "";
  const text = mark !== undefined && breakpoints.areKnown ? undefined : loneText(content);
  if (text !== undefined) {
    breakpoints.lose(mark, path);
    return failure + text;
  }
  const parts = content.flatMap((block, index) =>
    encodePart(block, { role: Role.TOOL, path: `${path}.content[${index}]` }, context),
  );
  const last = parts.at(-1);
  if (last === undefined) breakpoints.lose(mark, path);
  else breakpoints.put(mark, path, last);
  if (parts.length === 0 && !context.native) return failure;
  return isError ? [textPart(failure, Role.TOOL), ...parts] : parts;
}

/** Without its encrypted form the reasoning of another provider means nothing here, and it is never made into text. */
function encodeThinking(
  thinking: ThinkingBlock,
  path: string,
  { context, isOwn }: { readonly context: EncodeContext; readonly isOwn: boolean },
): JsonObject[] {
  const isUnsealed = thinking.opaque === undefined && !context.native;
  if (isUnsealed && !isOwn) return loseItem(path, context);
  const id = thinking.id === "" ? {} : { id: thinking.id };
  return [{ type: "reasoning", ...id, ...reasoningMembers(isUnsealed ? rawReasoning(thinking) : thinking) }];
}

/** Servers that encrypt nothing said it as raw text; Messages has one text for that and for a summary. */
function rawReasoning({ text, summary }: ThinkingBlock): Parameters<typeof reasoningMembers>[0] {
  return text === "" ? { text: summary.join("\n\n"), summary: [] } : { text, summary };
}

function encodeMessageItem(indexes: readonly number[], source: Source, context: EncodeContext): JsonObject[] {
  const { message, path } = source;
  const { role, content, id } = message;
  const blocks = indexes.flatMap((index) => content[index] ?? []);
  if (role === Role.UNSPECIFIED) return blocks.flatMap((block) => encodeOpaqueItem(block, path, context));
  const name = roleName(role, context);
  if (name === undefined) throw InferenceError.invalid(path, "a message of the role 'tool' holds tool results only");
  const parts = indexes.flatMap((index) => {
    const block = content[index];
    return block === undefined ? [] : encodePart(block, { role, path: `${path}.content[${index}]` }, context);
  });
  if (parts.length === 0 && !context.native) return [];
  const isEasy = role !== Role.ASSISTANT && id === "" && message.extension === undefined;
  const text = isEasy ? loneText(blocks) : undefined;
  return [{ type: "message", ...(id === "" || !context.native ? {} : { id }), role: name, content: text ?? parts }];
}

/** Instructions have the role that the server takes; all else has its own. */
function roleName(role: Role, { profile: { instructionRole } }: EncodeContext): string | undefined {
  const isInstruction = role === Role.SYSTEM || role === Role.DEVELOPER;
  return isInstruction && instructionRole !== "as-called" ? instructionRole : ROLE_NAMES[role];
}

function encodeOpaqueItem({ kind }: ContentBlock, path: string, context: EncodeContext): JsonObject[] {
  if (kind.case !== "opaque") throw InferenceError.invalid(path, "needs a role");
  // Its upstream would look for it in vain.
  if (isOwnSearch(kind.value)) return loseItem(path, context);
  const item = readResponsesJson(kind.value);
  return item === undefined ? [] : [item];
}

/** Returns the text of content that is nothing but one plain text. */
function loneText(content: readonly ContentBlock[]): string | undefined {
  const [block, ...others] = content;
  const plain = block?.kind.case === "text" && block.cacheMark === undefined && block.extension === undefined;
  return plain && others.length === 0 && block.kind.case === "text" ? block.kind.value.text : undefined;
}
