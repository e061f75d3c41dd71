import { createHash } from "node:crypto";
import {
  type ContentBlock,
  ContentBlockSchema,
  ToolResultBlockSchema,
  ToolUseBlockSchema,
} from "../../gen/attune/content/v1/content_pb.ts";
import {
  type GenerateEvent,
  GenerateEventSchema,
  type InferenceInput,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import type { CatalogModel } from "../catalog/model.ts";
import { modelCode } from "../lib/model-code.ts";
import { create } from "../lib/protobuf/create.ts";

/** Stands between a call's own id and the mark: letters that every format takes in an id. */
const MARK = "_at";
const MARKED = /^(.*)_at([0-9a-f]{8})([0-9a-f]{6})$/s;

/** The id of a tool call as its model gave it, and who that was. */
export interface OpenedToolId {
  readonly id: string;
  /** `modelCode` of the model that called. */
  readonly code: string;
}

/**
 * Marks the id of a tool call with the model that called, where another model answered than was asked for: the results come back to
 * any replica, and have to go to the model that waits for them.
 */
export function markToolId(id: string, model: string): string {
  const code = modelCode(model);
  return `${id}${MARK}${code}${checksum(id, code)}`;
}

/** Opens what `markToolId` made; undefined for any other id. */
export function openToolId(marked: string): OpenedToolId | undefined {
  // Nearly no id is marked, and all are looked at.
  if (!marked.includes(MARK)) return undefined;
  const [, id = "", code = "", sum = ""] = MARKED.exec(marked) ?? [];
  return code !== "" && checksum(id, code) === sum ? { id, code } : undefined;
}

/** Returns the mark on the id of a block's call, if it is one and has one. */
export function openedToolId({ kind }: ContentBlock): OpenedToolId | undefined {
  if (kind.case === "toolUse") return openToolId(kind.value.id);
  return kind.case === "toolResult" ? openToolId(kind.value.toolUseId) : undefined;
}

/**
 * Returns whose tool calls a conversation's last message answers: the model's code where it was not the one that was asked for, "" where
 * it was; undefined if it answers none.
 */
export function awaitingModel({ messages }: Pick<InferenceInput, "messages">): string | undefined {
  const results = (messages.at(-1)?.content ?? []).filter(({ kind }) => kind.case === "toolResult");
  if (results.length === 0) return undefined;
  for (const result of results) {
    const opened = openedToolId(result);
    if (opened !== undefined) return opened.code;
  }
  return "";
}

export function isMarkedBlock(block: ContentBlock): boolean {
  return openedToolId(block) !== undefined;
}

/** Returns a block with the ids of its calls and results as their models gave them: the block itself where none is marked. */
export function openToolBlock(block: ContentBlock): ContentBlock {
  const opened = openedToolId(block);
  const { kind } = block;
  if (opened === undefined) return block;
  if (kind.case === "toolUse") {
    const value = create(ToolUseBlockSchema, { ...kind.value, id: opened.id });
    return create(ContentBlockSchema, { ...block, kind: { case: "toolUse", value } });
  }
  if (kind.case !== "toolResult") return block;
  const value = create(ToolResultBlockSchema, { ...kind.value, toolUseId: opened.id });
  return create(ContentBlockSchema, { ...block, kind: { case: "toolResult", value } });
}

/**
 * Returns an event with the id of the tool call marked that begins with it, where another model answers than was asked for; otherwise
 * the event itself.
 */
export function markToolCall(event: GenerateEvent, answering: CatalogModel, asked: CatalogModel): GenerateEvent {
  if (answering === asked) return event;
  const { case: kind, value } = event.event;
  if (kind !== "blockStart" || value.block?.kind.case !== "toolUse") return event;
  const call = value.block.kind.value;
  const marked = create(ToolUseBlockSchema, { ...call, id: markToolId(call.id, answering.name) });
  const block = create(ContentBlockSchema, { ...value.block, kind: { case: "toolUse", value: marked } });
  return create(GenerateEventSchema, { event: { case: kind, value: { ...value, block } } });
}

function checksum(id: string, code: string): string {
  return createHash("sha256").update(`${code}.${id}`).digest("hex").slice(0, 6);
}
