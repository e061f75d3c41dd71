import {
  type ContentBlock,
  type Message,
  Role,
  type ToolResultBlock,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";

/** A conversation as the sandbox reads it. */
export interface Conversation {
  /** Beginning of the last message of the user with words in it. */
  readonly userText: string;
  /** Beginning of the system's and the developer's instructions. */
  readonly instructions: string;
  /** Results of tools that the conversation ends with; empty if it ends with something else. */
  readonly results: readonly ReadResult[];
  readonly images: number;
  readonly documents: number;
  readonly sounds: number;
}

/** The result of a tool. */
interface ReadResult {
  /** Name of the tool; undefined if the call is not part of the conversation. */
  readonly name: string | undefined;
  readonly text: string;
  readonly isError: boolean;
}

/** UTF-16 units of the user's text that are looked at: every tool is looked for in them. */
const MAX_USER_TEXT_LENGTH = 20_000;

/** Reads a conversation. */
export function readConversation(input: InferenceInput): Conversation {
  const blocks = input.messages.flatMap((message) => message.content).flatMap(withInner);
  const countOf = (kind: ContentBlock["kind"]["case"]): number =>
    blocks.filter((block) => block.kind.case === kind).length;
  return {
    userText: readUserText(input.messages),
    instructions: readInstructions(input),
    results: readResults(input.messages),
    images: countOf("image"),
    documents: countOf("document"),
    sounds: countOf("audio"),
  };
}

/** A block, and those inside it. */
function withInner(block: ContentBlock): ContentBlock[] {
  const { kind } = block;
  if (kind.case === "toolResult") return [block, ...kind.value.content.flatMap(withInner)];
  if (kind.case !== "document" || kind.value.source.case !== "content") return [block];
  return [block, ...kind.value.source.value.blocks.flatMap(withInner)];
}

function getText(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap(({ kind }) => (kind.case === "text" ? [kind.value.text] : [])).join("\n");
}

function readUserText(messages: readonly Message[]): string {
  const last = messages.findLast(({ role, content }) => role === Role.USER && getText(content) !== "");
  return last === undefined ? "" : getText(last.content).slice(0, MAX_USER_TEXT_LENGTH).toWellFormed();
}

function readInstructions({ system, messages }: InferenceInput): string {
  const instructions = messages.filter(({ role }) => role === Role.SYSTEM || role === Role.DEVELOPER);
  const texts = [getText(system), ...instructions.map(({ content }) => getText(content))].filter((text) => text !== "");
  return texts.join("\n").slice(0, MAX_USER_TEXT_LENGTH).toWellFormed();
}

/** In the Messages format the results of a turn stand in one message; in the others each is a message of its own. */
function readResults(messages: readonly Message[]): ReadResult[] {
  const turns = messages.filter(({ role }) => role === Role.USER || role === Role.ASSISTANT || role === Role.TOOL);
  const answered = turns.findLastIndex((message) => !message.content.some((block) => block.kind.case === "toolResult"));
  const results = turns.slice(answered + 1).flatMap(({ content }) => content.flatMap(getResult));
  const names = new Map(messages.flatMap(({ content }) => content.flatMap(nameOfCall)));
  return results.map(({ toolUseId, content, isError }) => {
    return { name: names.get(toolUseId), text: getText(content), isError };
  });
}

function getResult({ kind }: ContentBlock): ToolResultBlock[] {
  return kind.case === "toolResult" ? [kind.value] : [];
}

function nameOfCall({ kind }: ContentBlock): [string, string][] {
  return kind.case === "toolUse" ? [[kind.value.id, kind.value.name]] : [];
}
