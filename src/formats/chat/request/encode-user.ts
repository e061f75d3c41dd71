import type { ToolResultBlock } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type JsonObject, mergeMembers } from "../../shared/json.ts";
import { callIdFromToolUse } from "./call-id.ts";
import type { PlacedMessage } from "./encode-assistant.ts";
import { encodePart, joinParts } from "./encode-part.ts";
import { type PlacedBlock, placeBlocks, type Translation } from "./translation.ts";

/**
 * Encodes messages of the user and of tools that follow each other: first all results, which must stand right behind
 * the calls, then what the user said. Images and files of results have no place there, so they come first in what
 * follows, each behind the id of its call.
 */
export function encodeUser(messages: readonly PlacedMessage[], translation: Translation): JsonObject[] {
  const results: JsonObject[] = [];
  const moved: JsonObject[] = [];
  const spoken: JsonObject[] = [];
  for (const { message, path } of messages) {
    const members = translation.losses.own(message.extension);
    const rest: PlacedBlock[] = [];
    for (const placed of placeBlocks(message.content, path)) {
      if (placed.block.kind.case !== "toolResult") rest.push(placed);
      else results.push(encodeResult(placed, placed.block.kind.value, { translation, moved, members }));
    }
    if (rest.length === 0 && message.content.length > 0) {
      if (message.name !== undefined) translation.losses.at(`${path}.name`);
      continue;
    }
    const parts = rest.flatMap((one) => encodePart(one, translation));
    if (parts.length === 0 && !translation.isNative) continue;
    const name = message.name === undefined ? {} : { name: message.name };
    const encoded = { role: "user", content: joinParts([...moved.splice(0), ...parts]), ...name };
    spoken.push(mergeMembers(encoded, members));
  }
  if (moved.length > 0) spoken.push({ role: "user", content: moved });
  return [...results, ...spoken];
}

interface ResultContext {
  readonly translation: Translation;
  /** Takes what the result cannot hold. */
  readonly moved: JsonObject[];
  readonly members: JsonObject | undefined;
}

function encodeResult(placed: PlacedBlock, result: ToolResultBlock, context: ResultContext): JsonObject {
  const { translation, moved, members } = context;
  const { block, path } = placed;
  const own = translation.losses.own(block.extension);
  const parts: JsonObject[] = [];
  const attachments: JsonObject[] = [];
  const callId = callIdFromToolUse(result.toolUseId, translation);
  let last: JsonObject | undefined;
  for (const inner of placeBlocks(result.content, path)) {
    const encoded = encodePart(inner, translation);
    const fits = translation.isNative || encoded.every(({ type }) => type === "text" || type === "refusal");
    (fits ? parts : attachments).push(...encoded);
    last = encoded.at(-1) ?? last;
  }
  if (last === undefined) translation.breakpoints.lose(block.cacheMark, path);
  else translation.breakpoints.put(block.cacheMark, path, last);
  if (attachments.length > 0) {
    moved.push({ type: "text", text: `Attachments of call ${callId}:` }, ...attachments);
    if (parts.length === 0) parts.push({ type: "text", text: "See the attachments of this call below." });
  }
  if (result.isError) markError(parts);
  const content = parts.length === 0 && !translation.isNative ? "" : joinParts(parts);
  const encoded = { role: "tool", tool_call_id: callId, content };
  return mergeMembers(mergeMembers(encoded, own), members);
}

/** The format has no mark for a failed call: the model reads it in the text. */
function markError(parts: JsonObject[]): void {
  const first = parts.find(({ type }) => type === "text");
  if (first === undefined) parts.unshift({ type: "text", text: "Error" });
  else first.text = `Error: ${String(first.text)}`;
}
