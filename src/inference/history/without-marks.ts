import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type Message,
  MessageSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";

/**
 * Returns a message of a thread's earlier turn without its cache marks: they have done their work, those of all turns
 * together would be more than a request may have, and a mark of a later turn covers all before it. What has none is
 * shared, not copied.
 */
export function withoutMarks(message: Message): Message {
  if (!message.content.some(isMarked)) return message;
  const made = create(MessageSchema, { ...message, content: [] });
  made.content = message.content.map((block) => (isMarked(block) ? unmarked(block) : block));
  return made;
}

function isMarked({ cacheMark, kind }: ContentBlock): boolean {
  return cacheMark !== undefined || innerOf(kind).some(isMarked);
}

function unmarked({ cacheMark: _mark, ...block }: ContentBlock): ContentBlock {
  const { kind } = block;
  const content = innerOf(kind).map((inner) => (isMarked(inner) ? unmarked(inner) : inner));
  if (kind.case !== "toolResult") return create(ContentBlockSchema, block);
  return create(ContentBlockSchema, { ...block, kind: { case: "toolResult", value: { ...kind.value, content } } });
}

function innerOf(kind: ContentBlock["kind"]): readonly ContentBlock[] {
  return kind.case === "toolResult" ? kind.value.content : [];
}
