import { type ContentBlock, ToolKind } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { blockNames, type MemberNames, memberNames, requestNames } from "../../hub/field-names.ts";
import { createFieldPathFormatter, type FormatFieldPath } from "../shared/format-field-path.ts";
import { isReasoning } from "./reasoning-details.ts";
import { isFromFunction, isFromFunctionCall } from "./request/decode-functions.ts";

/** Annotations of a text, which the hub has at its block and in a message of their own. */
const ANNOTATIONS = /^(messages\[\d+\])\.content\[\d+\]\.annotations(?:\.annotations)?/;

/** Spells a place in the hub's request as a Chat client wrote it. */
export const formatFieldPath: FormatFieldPath = (place, input) =>
  formatFunctions(formatBelowParts(place, input).replace(ANNOTATIONS, "$1.annotations"), input);

/** Spells a place of tools that came as `functions` in their form. */
function formatFunctions(path: string, { tools }: InferenceInput): string {
  const [tool, index] = /^tools\[(\d+)\](?:\.function)?/.exec(path) ?? [];
  if (tool !== undefined && isFromFunction(tools[Number(index)]))
    return `functions[${index}]${path.slice(tool.length)}`;
  return path === "tool_choice" && isFromFunction(tools[0]) ? "function_call" : path;
}

const formatBelowParts = createFieldPathFormatter({
  fields: requestNames("chat"),
  messages: "messages",
  system: (index) => `system[${index}]`,
  block: (path, { index }, message) => {
    const place = getPlaces(message?.content ?? [])[index] ?? `content[${index}]`;
    return place === "" ? path : `${path}.${place}`;
  },
  inner: (path, { index }) => `${path}.content[${index}]`,
  cacheMark: "prompt_cache_breakpoint",
  members: ({ kind, block }) => {
    if (block !== undefined && isFromFunctionCall(block)) return {};
    const isCustom = block?.kind.case === "toolUse" && block.kind.value.kind === ToolKind.CUSTOM;
    return isCustom ? CUSTOM_CALL : MEMBERS[kind ?? ""];
  },
  toolMembers: { function: memberNames("chat", "function"), custom: memberNames("chat", "custom") },
});

const MEMBERS = blockNames("chat");
const CUSTOM_CALL: MemberNames = { name: "custom.name", arguments: "custom.input" };

/** Found once for a whole message: to count what stands before each block anew takes the square of their number. */
const known = new WeakMap<readonly ContentBlock[], readonly string[]>();

/**
 * Places of a message's blocks below it: parts, calls, and the members that hold reasoning. A tool's result is the
 * message itself.
 */
function getPlaces(content: readonly ContentBlock[]): readonly string[] {
  const found = known.get(content);
  if (found !== undefined) return found;
  let calls = 0;
  let parts = 0;
  const places = content.map((block) => {
    if (isReasoning(block)) return isUnsealed(block) ? "reasoning_content" : "reasoning_details";
    switch (block.kind.case) {
      case "toolResult":
        parts += 1;
        return "";
      case "toolUse":
        if (isFromFunctionCall(block)) return "function_call";
        calls += 1;
        return `tool_calls[${calls - 1}]`;
      default:
        parts += 1;
        return `content[${parts - 1}]`;
    }
  });
  known.set(content, places);
  return places;
}

function isUnsealed({ kind }: ContentBlock): boolean {
  return kind.case === "thinking" && kind.value.opaque === undefined;
}
