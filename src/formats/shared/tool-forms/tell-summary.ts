import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  Dialect,
  type Message,
  MessageSchema,
  Role,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { lookAtJsonObject } from "../json.ts";
import type { RewrittenInput } from "./rewritten-input.ts";
import type { ToolRules } from "./tool-rules.ts";

/**
 * Has the user say the summary that Anthropic made of a conversation, in place of all that came before it: its API
 * ignores that, and others know no such block. Undefined where there is none.
 */
export function tellSummary(input: HubInput, { ownDialect }: ToolRules): RewrittenInput | undefined {
  if (ownDialect === Dialect.MESSAGES) return undefined;
  const at = input.messages.findLastIndex(({ content }) => content.some((block) => getSummary(block) !== undefined));
  const message = input.messages[at];
  if (message === undefined) return undefined;
  const position = message.content.findLastIndex((block) => getSummary(block) !== undefined);
  const rest = message.content.slice(position + 1);
  const text = getSummary(message.content[position]) ?? "";
  const summary = create(MessageSchema, {
    role: Role.USER,
    content: [create(ContentBlockSchema, { kind: { case: "text", value: { text } } })],
  });
  const begun = rest.length === 0 ? [summary] : [summary, withContent(message, rest)];
  const placeOf = (place: string): string => {
    const [whole, digits, below = ""] = /^messages\[(\d+)\](.*)$/s.exec(place) ?? [];
    if (whole === undefined) return place;
    const index = Number(digits);
    if (index >= begun.length) return `messages[${index - begun.length + at + 1}]${below}`;
    const moved = below.replace(/^\.content\[(\d+)\]/, (_block, own) => {
      return `.content[${index === 0 ? position : Number(own) + position + 1}]`;
    });
    return `messages[${at}]${moved}`;
  };
  return { input: { ...input, messages: [...begun, ...input.messages.slice(at + 1)] }, losses: [], placeOf };
}

/** Blocks are known by their identity. */
function withContent(message: Message, content: ContentBlock[]): Message {
  const made = create(MessageSchema, { ...message, content: [] });
  made.content = content;
  return made;
}

/** The text of a summary; undefined for any other block, and for one that failed. */
function getSummary(block: ContentBlock | undefined): string | undefined {
  if (block?.kind.case !== "opaque" || block.kind.value.dialect !== Dialect.MESSAGES) return undefined;
  if (!block.kind.value.json.includes('"compaction"')) return undefined;
  const { type, content } = lookAtJsonObject(block.kind.value.json) ?? {};
  return type === "compaction" && typeof content === "string" && content.trim() !== "" ? content : undefined;
}
