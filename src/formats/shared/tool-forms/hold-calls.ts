import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type ToolUseBlock,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { choiceEvent, createEvent } from "../../../hub/events.ts";
import { StringBuilder } from "../../../lib/string-builder.ts";
import type { RestoreEvents } from "./rewritten-input.ts";

/** An event of a block. */
type BlockEvent = Extract<GenerateEvent["event"], { case: "blockStart" | "blockDelta" | "blockEnd" }>;

interface Held {
  readonly block: ContentBlock;
  readonly call: ToolUseBlock;
  readonly text: StringBuilder;
}

/**
 * Holds calls of some tools back until they are whole, and hands them on as what `restore` makes of them: what a model
 * wrote as JSON can only then be read. The size of an answer bounds what is held.
 */
export function holdCalls(
  isHeld: (name: string) => boolean,
  restore: (call: ToolUseBlock) => ContentBlock["kind"],
): RestoreEvents {
  const held = new Map<string, Held>();
  const read = (event: BlockEvent, choice: string): BlockEvent[] => {
    const key = `${choice}:${event.value.index}`;
    if (event.case === "blockStart") {
      const { block } = event.value;
      if (block?.kind.case !== "toolUse" || !isHeld(block.kind.value.name)) return [event];
      held.set(key, { block, call: block.kind.value, text: new StringBuilder(block.kind.value.arguments) });
      return [];
    }
    const open = held.get(key);
    if (open === undefined) return [event];
    if (event.case === "blockDelta") {
      if (event.value.delta.case === "arguments") open.text.add(event.value.delta.value);
      return [];
    }
    held.delete(key);
    const kind = restore({ ...open.call, arguments: open.text.toString() });
    // An item of another type is none of the call's: its members say nothing of it.
    const block = kind.case === "opaque" ? create(ContentBlockSchema, { kind }) : { ...open.block, kind };
    const { index } = event.value;
    return [{ case: "blockStart", value: { $typeName: "attune.inference.v1.BlockStart", index, block } }, event];
  };
  return (events) =>
    events.flatMap((event) => {
      const { event: own } = event;
      const [choice, inner] = own.case === "choiceEvent" ? [own.value.choice, own.value.event] : [undefined, own];
      if (!isBlockEvent(inner)) return [event];
      const pieces = read(inner, `${choice}`);
      if (pieces[0] === inner) return [event];
      return pieces.map((piece) => (choice === undefined ? createEvent(piece) : choiceEvent(choice, piece)));
    });
}

function isBlockEvent(event: { readonly case?: string | undefined }): event is BlockEvent {
  return event.case === "blockStart" || event.case === "blockDelta" || event.case === "blockEnd";
}
