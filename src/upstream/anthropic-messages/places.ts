import { type ContentBlock, Dialect, type Message, Role, ToolKind } from "../../../gen/attune/content/v1/content_pb.ts";
import { chatBlockPlace } from "../chat-block-place.ts";

type Kind = ContentBlock["kind"]["case"];

/** Blocks that are items or messages of their own in the OpenAI formats. */
const RESPONSES_ITEMS: ReadonlySet<Kind> = new Set(["toolUse", "toolResult", "thinking", "redactedThinking"]);

/** Names the place of a block of a message at `path`, in the caller's spelling. */
export function blockPlace(
  dialect: Dialect,
  path: string,
  { message, index }: { message: Message; index: number },
): string {
  const kind = message.content[index]?.kind.case;
  if (dialect === Dialect.RESPONSES) {
    const isItem = message.role === Role.UNSPECIFIED || RESPONSES_ITEMS.has(kind);
    return isItem ? path : `${path}.content[${index}]`;
  }
  if (dialect !== Dialect.CHAT) return `${path}.content[${index}]`;
  const place = chatBlockPlace(message.content, index);
  return place === "" ? path : `${path}.${place}`;
}

/** Names the place of a block inside the result of a tool at `place`. */
export function resultPlace(dialect: Dialect, place: string, index: number): string {
  return dialect === Dialect.RESPONSES ? `${place}.output[${index}]` : `${place}.content[${index}]`;
}

/** Names the place of the arguments of a tool call at `place`. */
export function argumentsPlace(dialect: Dialect, place: string, kind: ToolKind): string {
  const name = kind === ToolKind.CUSTOM ? "input" : "arguments";
  return dialect === Dialect.CHAT ? `${place}.${chatMember(kind)}.${name}` : `${place}.${name}`;
}

/** Names the place of the name of a tool or a tool call at `place`. */
export function namePlace(dialect: Dialect, place: string, kind: ToolKind): string {
  return dialect === Dialect.CHAT ? `${place}.${chatMember(kind)}.name` : `${place}.name`;
}

function chatMember(kind: ToolKind): string {
  return kind === ToolKind.CUSTOM ? "custom" : "function";
}

/** Names the place of the detail of an image at `place`. */
export function detailPlace(dialect: Dialect, place: string): string {
  return dialect === Dialect.CHAT ? `${place}.image_url.detail` : `${place}.detail`;
}
