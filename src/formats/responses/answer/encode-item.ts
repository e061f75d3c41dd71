import { encodeAnnotations } from "../../shared/annotations.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { encodeLogprobs } from "../../shared/logprobs.ts";
import { RESPONSES_ANNOTATIONS, RESPONSES_LOGPROBS } from "../forms.ts";
import { LATE_ITEM_MEMBERS } from "../members.ts";
import { reasoningMembers } from "../reasoning-item.ts";
import type { OutputItem } from "./output-list.ts";
import type { CallPart, OutputPart, SearchCallPart } from "./output-part.ts";

/** The status of an item. */
export type ItemStatus = "in_progress" | "completed" | "incomplete";

/** Encodes the items of an answer; where the answer was cut short, its last item was. */
export function encodeItems(items: readonly OutputItem[], last: ItemStatus): JsonObject[] {
  return items.map((item, index) => encodeItem(item, index === items.length - 1 ? last : "completed"));
}

/** Encodes an item with what it holds by now. */
export function encodeItem(item: OutputItem, status: ItemStatus): JsonObject {
  const [first] = item.parts;
  if (first === undefined || item.type === "message") return encodeMessage(item, status);
  switch (first.type) {
    case "call":
      return { ...encodeCall(item.id, first, status), ...item.extension, ...first.extension };
    case "reasoning":
      // The encrypted form is always given, asked for or not: without it a client that keeps the conversation itself
      // could not go on where it is.
      return { id: item.id, type: "reasoning", ...reasoningMembers(first), ...item.extension, ...first.extension };
    case "opaque":
      return first.extension;
    case "search":
      return encodeSearch(item.id, first, status);
    case "text":
    case "refusal":
      return encodeMessage(item, status);
    default:
      return first satisfies never;
  }
}

/** Encodes an item as it is announced, before anything of it is known but its name. */
export function encodeItemStart(item: OutputItem): JsonObject {
  const [first] = item.parts;
  if (item.type === "message") return { ...messageItem(item, "in_progress", []), ...item.extension };
  if (first?.type === "call") {
    return { ...encodeCall(item.id, { ...first, input: "" }, "in_progress"), ...item.extension };
  }
  if (first?.type === "reasoning") return { id: item.id, type: "reasoning", summary: [], ...item.extension };
  if (first?.type === "search") return { id: item.id, type: "web_search_call", status: "in_progress" };
  return encodeItem(item, "in_progress");
}

/** Encodes a search as the format's own upstreams tell theirs. */
function encodeSearch(id: string, { queries, sources, outcome }: SearchCallPart, status: ItemStatus): JsonObject {
  const [query] = queries;
  const action = { type: "search", ...(query === undefined ? {} : { query, queries }), ...(sources && { sources }) };
  const ended = status === "in_progress" ? status : "incomplete";
  return { id, type: "web_search_call", status: outcome === "pending" ? ended : outcome, action };
}

function encodeCall(id: string, call: CallPart, status: ItemStatus): JsonObject {
  const { callId, name, input } = call;
  return call.custom
    ? { id, type: "custom_tool_call", call_id: callId, name, input, status }
    : { id, type: "function_call", call_id: callId, name, arguments: input, status };
}

function encodeMessage(item: OutputItem, status: ItemStatus): JsonObject {
  const late = item.parts.map((part) => part.extension[LATE_ITEM_MEMBERS]).filter(isJsonObject);
  const message = Object.assign(messageItem(item, status, item.parts.map(encodePart)), item.extension);
  for (const members of late) Object.assign(message, members);
  return message;
}

function messageItem({ id }: OutputItem, status: ItemStatus, content: JsonObject[]): JsonObject {
  return { id, type: "message", role: "assistant", status, content };
}

/** Encodes a part of a message item. */
export function encodePart(part: OutputPart): JsonObject {
  const { [LATE_ITEM_MEMBERS]: _late, ...extension } = part.extension;
  switch (part.type) {
    case "text":
      return {
        type: "output_text",
        text: part.text,
        annotations: encodeAnnotations(part, RESPONSES_ANNOTATIONS),
        logprobs: encodeLogprobs({ tokens: part.logprobs }, RESPONSES_LOGPROBS),
        ...extension,
      };
    case "refusal":
      return { type: "refusal", refusal: part.text, ...extension };
    default:
      return extension;
  }
}
