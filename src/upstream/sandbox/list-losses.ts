import {
  type ContentBlock,
  type Message,
  type RawJson,
  Role,
  type Tool,
  ToolChoiceMode,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { saysNothing } from "../../formats/shared/is-default-value.ts";
import { lookAtJsonObject } from "../../formats/shared/json.ts";
import { LossList } from "../../formats/shared/losses.ts";
import { isUnreadable } from "../../formats/shared/reasoning-path.ts";

/** Members that ask for nothing which a deterministic answer does not give. */
const HONOURED = new Set(["seed", "presence_penalty", "frequency_penalty", "stream_options", "user"]);

/** Lists what a request asks for and the sandbox does not do, by its places in the hub's request. */
export function listLosses(input: InferenceInput): readonly string[] {
  const losses = new LossList(undefined, input);
  listRequest(input.extension, losses);
  losses.lose(input.reasoning?.extension, "reasoning");
  if (input.verbosity !== undefined) losses.at("verbosity");
  if (input.logprobs) losses.at("logprobs");
  if ((input.topLogprobs ?? 0) > 0) losses.at("top_logprobs");
  if (input.toolChoice?.mode === ToolChoiceMode.OPAQUE) losses.at("tool_choice");
  for (const [index, block] of input.system.entries()) listBlock(block, `system[${index}]`, losses);
  for (const [index, message] of input.messages.entries()) listMessage(message, `messages[${index}]`, losses);
  for (const [index, tool] of input.tools.entries()) listTool(tool, `tools[${index}]`, losses);
  return losses.places;
}

function listRequest(extension: RawJson | undefined, losses: LossList): void {
  for (const [name, value] of Object.entries(lookAtJsonObject(extension?.json ?? "{}") ?? {})) {
    if (!isHonoured(name, value)) losses.said("", name, value);
  }
}

function isHonoured(name: string, value: unknown): boolean {
  return HONOURED.has(name) || value === false || saysNothing(name, value);
}

function listMessage(message: Message, place: string, losses: LossList): void {
  losses.lose(message.extension, place);
  // What has no role is an item of one dialect, and its block is the whole of it.
  const placeOf = (index: number) => (message.role === Role.UNSPECIFIED ? place : `${place}.content[${index}]`);
  for (const [index, block] of message.content.entries()) listBlock(block, placeOf(index), losses);
}

function listBlock(block: ContentBlock, place: string, losses: LossList): void {
  const { kind, extension } = block;
  if (kind.case === "opaque" || isUnreadable(block)) losses.at(place);
  losses.lose(extension, place);
  if (kind.case !== "toolResult") return;
  for (const [index, inner] of kind.value.content.entries()) listBlock(inner, `${place}.content[${index}]`, losses);
}

function listTool({ kind, extension }: Tool, place: string, losses: LossList): void {
  if (kind.case === "opaque") losses.at(place);
  if (kind.case === "custom" && lookAtJsonObject(kind.value.formatJson ?? "")?.["type"] === "grammar") {
    losses.at(`${place}.format_json`);
  }
  losses.lose(extension, place);
}
