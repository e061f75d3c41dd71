import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  Dialect,
  type Message,
  MessageSchema,
  type RawJson,
  RawJsonSchema,
  Role,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { LATE_ITEM_MEMBERS } from "../../hub/late-item-members.ts";
import { readSearchPart } from "../../hub/web-search/read-search.ts";
import { mergeExtensions } from "../checks/merge-extension.ts";

/** State of an item that says nothing else: an item that comes back with its id has one. */
const COMPLETED = '{"status":"completed"}';

/**
 * Turns an answer into the messages by which a later request repeats it: what a client of the Responses dialect would
 * send back. Calls and reasoning stand alone, neighbouring texts of one item together, and what a web search found
 * behind its call. Blocks are shared, not copied.
 */
export function answerToMessages({ content }: Pick<GenerateResponse, "content">): Message[] {
  const runs: ContentBlock[][] = [];
  for (const block of content) {
    if (isEmptyText(block)) continue;
    const last = runs.at(-1);
    const [first] = last ?? [];
    if (last !== undefined && first !== undefined && belongTogether(first, block)) last.push(block);
    else runs.push([block]);
  }
  return runs.map(toMessage);
}

/** An upstream that sends a text without words has said nothing, and some refuse to hear it again. */
function isEmptyText({ kind, itemId }: ContentBlock): boolean {
  return kind.case === "text" && kind.value.text === "" && itemId === "";
}

function belongTogether(first: ContentBlock, block: ContentBlock): boolean {
  if (isPart(first) && isPart(block)) return first.itemId === block.itemId;
  if (first.kind.case !== "opaque" || block.kind.case !== "opaque") return false;
  if (first.kind.value.dialect !== Dialect.MESSAGES) return false;
  const search = readSearchPart(first.kind.value)?.id;
  return search !== undefined && search === readSearchPart(block.kind.value)?.id;
}

/** Tells whether a block is a part of a message item: texts, and what is not known but came as a part. */
function isPart({ kind, itemId }: ContentBlock): boolean {
  return kind.case === "text" || kind.case === "refusal" || (kind.case === "opaque" && itemId !== "");
}

function toMessage(blocks: ContentBlock[]): Message {
  const [first] = blocks;
  // A whole item that only the Responses dialect knows has no role.
  const isItem = first?.kind.case === "opaque" && first.itemId === "" && first.kind.value.dialect === Dialect.RESPONSES;
  if (first === undefined || isItem) return create(MessageSchema, { content: blocks });
  const parts = blocks.map(splitLate);
  const late = parts.flatMap((part) => part.late ?? []);
  return create(MessageSchema, {
    role: Role.ASSISTANT,
    content: parts.map(({ block }) => withoutItem(block)),
    id: first.itemId,
    extension: itemExtension(first, late),
  });
}

/** Moves what a block says of its item to the message. */
function withoutItem(block: ContentBlock): ContentBlock {
  if (block.itemExtension === undefined) return block;
  const { itemExtension: _itemExtension, ...others } = block;
  return others;
}

function itemExtension({ kind, itemId, itemExtension: early }: ContentBlock, late: string[]): RawJson | undefined {
  if (itemId === "") return early;
  // Reasoning has no status as a rule.
  const status = kind.case === "thinking" || kind.case === "redactedThinking" ? [] : [COMPLETED];
  const pieces = [...(early === undefined ? [] : [early.json]), ...status, ...late];
  if (pieces.length === 0) return undefined;
  return create(RawJsonSchema, { dialect: Dialect.RESPONSES, json: mergeExtensions(pieces) });
}

/** Parts what a block says of its item from what it says of itself. */
function splitLate(block: ContentBlock): { readonly block: ContentBlock; readonly late?: string } {
  const { extension } = block;
  if (extension === undefined || !extension.json.includes(LATE_ITEM_MEMBERS)) return { block };
  const { [LATE_ITEM_MEMBERS]: late, ...own }: Record<string, unknown> = JSON.parse(extension.json);
  if (late === undefined) return { block };
  const rest =
    Object.keys(own).length === 0
      ? undefined
      : create(RawJsonSchema, { dialect: extension.dialect, json: JSON.stringify(own) });
  const { extension: _extension, ...others } = block;
  const split = create(ContentBlockSchema, rest === undefined ? others : { ...others, extension: rest });
  return { block: split, late: JSON.stringify(late) };
}
