import {
  type ContentBlock,
  Dialect,
  type Message,
  type RawJson,
  type Tool,
  ToolChoiceMode,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { parseJsonObject } from "../../wire/json.ts";
import { LossList } from "../losses.ts";
import { chatReasoningMember, isReasoningBlock, isUnreadable } from "../reasoning-place.ts";
import { saysNothing } from "../says-nothing.ts";
import { placesOf } from "./places.ts";

/** Members that ask for nothing which a deterministic answer does not give. */
const HONOURED = new Set(["seed", "presence_penalty", "frequency_penalty", "stream_options", "user"]);

/** Lists what a request asks for and the sandbox does not do, in the caller's spelling. */
export function listLosses(input: InferenceInput): readonly string[] {
  const losses = new LossList(input, Dialect.UNSPECIFIED);
  const reasoningPlace = input.dialect === Dialect.MESSAGES ? "thinking" : "reasoning";
  listRequest(input.extension, losses);
  losses.extension(input.reasoning?.extension, reasoningPlace);
  if (input.verbosity !== undefined) losses.field("verbosity");
  if (input.toolChoice?.mode === ToolChoiceMode.OPAQUE) losses.field("tool_choice");
  for (const [index, block] of input.system.entries()) listBlock(block, `system[${index}]`, losses);
  for (const [index, message] of input.messages.entries()) {
    listMessage(message, { input, place: losses.messagePath(index) }, losses);
  }
  for (const [index, tool] of input.tools.entries()) listTool(tool, { input, index }, losses);
  return losses.places;
}

function listRequest(extension: RawJson | undefined, losses: LossList): void {
  for (const [name, value] of Object.entries(parseJsonObject(extension?.json ?? "{}") ?? {})) {
    if (!isHonoured(name, value)) losses.at(name);
  }
}

function isHonoured(name: string, value: unknown): boolean {
  return HONOURED.has(name) || value === false || saysNothing(name, value);
}

function listMessage(message: Message, at: { input: InferenceInput; place: string }, losses: LossList): void {
  losses.extension(message.extension, at.place);
  for (const [index, block] of message.content.entries()) {
    const isItem = at.input.dialect === Dialect.RESPONSES && RESPONSES_ITEMS.has(block.kind.case);
    const inChat = at.input.dialect === Dialect.CHAT && isReasoningBlock(block);
    const member = inChat ? chatReasoningMember(block) : `content[${index}]`;
    listBlock(block, isItem ? at.place : `${at.place}.${member}`, losses);
  }
}

/** Blocks that are items of their own in the Responses format. */
const RESPONSES_ITEMS: ReadonlySet<ContentBlock["kind"]["case"]> = new Set([
  "opaque",
  "redactedThinking",
  "thinking",
  "toolResult",
  "toolUse",
]);

function listBlock(block: ContentBlock, place: string, losses: LossList): void {
  const { kind, extension } = block;
  if (kind.case === "opaque" || isUnreadable(block)) losses.at(place);
  losses.extension(extension, place);
  if (kind.case !== "toolResult") return;
  for (const [index, inner] of kind.value.content.entries()) listBlock(inner, `${place}.content[${index}]`, losses);
}

function listTool({ kind, extension }: Tool, at: { input: InferenceInput; index: number }, losses: LossList): void {
  const place = losses.toolPath(at.index);
  if (kind.case === "opaque") losses.at(place);
  if (kind.case === "custom" && parseJsonObject(kind.value.formatJson ?? "")?.["type"] === "grammar") {
    losses.at(`${place}.${placesOf(at.input.dialect).grammar}`);
  }
  losses.extension(extension, place);
}
