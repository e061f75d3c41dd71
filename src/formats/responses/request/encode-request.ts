import {
  type ContentBlock,
  Dialect,
  type RawJson,
  type Reasoning,
  ReasoningEffort,
  Role,
  ThinkingMode,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { namedFor } from "../../shared/cache-key.ts";
import { searchMembers } from "../../shared/hosted-tools/web-search.ts";
import { type JsonObject, mergeMembers, parseJsonObject } from "../../shared/json.ts";
import type { Losses } from "../../shared/losses.ts";
import type { EncodedRequest, EncodeTarget } from "../../shared/protocol.ts";
import { isUnreadable } from "../../shared/reasoning-path.ts";
import { checkNotEmpty } from "../../shared/require-content.ts";
import { INCLUDED_LOGPROBS, INCLUDED_SOURCES } from "../members.ts";
import { EncodeContext } from "./encode-context.ts";
import { encodeItems } from "./encode-items.ts";
import { encodeReasoning, encodeSampling, encodeText } from "./encode-options.ts";
import { encodePart } from "./encode-part.ts";
import { encodeToolChoice, encodeTools, mostCalls, tellsPages } from "./encode-tools.ts";

/** Members that the Chat format's extension holds and that mean the same here. */
const SAME_IN_CHAT: ReadonlySet<string> = new Set([
  "service_tier",
  "user",
  "prompt_cache_options",
  "prompt_cache_retention",
  "moderation",
  "stream_options",
]);

/** Members that POST /responses/input_tokens takes. */
const COUNTED = [
  ...["model", "instructions", "input", "tools", "tool_choice", "parallel_tool_calls", "reasoning", "text"],
  ...["truncation", "personality"],
];

/** Encodes a request as the body of POST /responses. Throws INVALID_REQUEST for what must be refused by name. */
export function encodeRequest(input: HubInput, target: EncodeTarget): EncodedRequest {
  return { ...encodeBody(input, target), ...namedFor(input, target) };
}

/** Encodes a request as the body of POST /responses/input_tokens. Throws INVALID_REQUEST as encodeRequest() does. */
export function encodeCountRequest(input: HubInput, target: EncodeTarget): EncodedRequest {
  const { body, losses } = encodeBody(input, target);
  return { body: Object.fromEntries(COUNTED.map((name) => [name, body[name]])), losses };
}

interface EncodedBody {
  readonly body: JsonObject;
  readonly losses: Losses;
}

function encodeBody(input: HubInput, target: EncodeTarget): EncodedBody {
  const context = new EncodeContext(input, target);
  const isMarked = context.breakpoints.areKnown && input.system.some(({ cacheMark }) => cacheMark !== undefined);
  const instructions = isMarked ? undefined : encodeInstructions(input.system, context);
  const items = [...(isMarked ? encodeMarkedSystem(input.system, context) : []), ...encodeItems(input, context)];
  if (!context.native) checkNotEmpty(items);
  const tools = encodeTools(input, context);
  const body: JsonObject = {
    model: target.deployment.model,
    instructions,
    input: items,
    tools,
    max_tool_calls: mostCalls(context.search, input),
    tool_choice: encodeToolChoice(input, tools ?? [], context),
    parallel_tool_calls: input.parallelToolCalls,
    ...encodeSampling(input, context, target.cacheKey),
    ...encodeReasoning(input.reasoning, context),
    text: encodeText(input, context),
    ...(target.streamed ? { stream: true } : {}),
    ...(context.native ? { store: input.store } : statelessMembers(input)),
  };
  mergeMembers(body, encodeExtension(input.extension, context));
  if (input.logprobs) include(body, INCLUDED_LOGPROBS);
  if (tellsPages(context.search, input)) include(body, INCLUDED_SOURCES);
  return { body, losses: context.losses.places };
}

function include(body: JsonObject, item: string): void {
  body.include = [...(Array.isArray(body.include) ? body.include : []), item];
}

/** Instructions are one text. Blocks of it are parted by a blank line, which costs them their marks. */
function encodeInstructions(system: readonly ContentBlock[], context: EncodeContext): string | undefined {
  const texts: string[] = [];
  for (const [index, block] of system.entries()) {
    const path = `system[${index}]`;
    if (block.kind.case === "text") texts.push(block.kind.value.text);
    else context.losses.at(path);
    context.breakpoints.lose(block.cacheMark, path);
    for (const name of Object.keys(context.losses.own(block.extension) ?? {})) context.losses.member(path, name);
  }
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

/** A system message at the beginning says what instructions say, and its parts carry marks. */
function encodeMarkedSystem(system: readonly ContentBlock[], context: EncodeContext): JsonObject[] {
  const content = system.flatMap((block, index) => {
    const path = `system[${index}]`;
    if (block.kind.case === "text") return encodePart(block, { role: Role.SYSTEM, path }, context);
    context.losses.at(path);
    return [];
  });
  return content.length === 0 ? [] : [{ type: "message", role: "system", content }];
}

/**
 * A caller of another format keeps the whole conversation: nothing is to be kept for it here, and reasoning can only be
 * gone on with if it comes back encrypted. Models without reasoning refuse to be asked for that, so it is asked only
 * where the conversation has to do with reasoning.
 */
function statelessMembers(input: HubInput): JsonObject {
  const reasons = wantsReasoning(input.reasoning) || input.messages.some(({ content }) => content.some(isSealed));
  return { store: false, ...(reasons ? { include: ["reasoning.encrypted_content"] } : {}) };
}

function wantsReasoning(reasoning: Reasoning | undefined): boolean {
  if (reasoning === undefined) return false;
  return reasoning.effort !== ReasoningEffort.NONE && reasoning.mode !== ThinkingMode.DISABLED;
}

function isSealed(block: ContentBlock): boolean {
  const { kind } = block;
  if (isUnreadable(block)) return false;
  return kind.case === "redactedThinking" || (kind.case === "thinking" && kind.value.opaque !== undefined);
}

function encodeExtension(raw: RawJson | undefined, context: EncodeContext): JsonObject | undefined {
  if (raw?.dialect !== Dialect.CHAT) return context.losses.own(raw);
  context.losses.settle("extension");
  const same: JsonObject = {};
  const searchNames = searchMembers(context.search, []);
  for (const [name, value] of Object.entries(parseJsonObject(raw.json) ?? {})) {
    if (searchNames.has(name)) continue;
    if (SAME_IN_CHAT.has(name)) same[name] = value;
    else context.losses.said("", name, value);
  }
  return same;
}
