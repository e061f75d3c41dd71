import type { ContentBlock, Message, Tool } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";

/** The kind of a block. */
export type BlockKind = NonNullable<ContentBlock["kind"]["case"]>;

/** The kind of a tool. */
export type ToolCase = NonNullable<Tool["kind"]["case"]>;

/** A block on the way to a place. */
export interface BlockStep {
  readonly index: number;
  /** Undefined where neither the place nor the request tells. */
  readonly kind: BlockKind | undefined;
  /** The block as the caller sent it; undefined in a conversation that is continued. */
  readonly block: ContentBlock | undefined;
}

/**
 * A place in a request, taken apart. Members are in the hub's names, empty for the whole: `cache_mark.ttl`,
 * `extension.seed`.
 */
export type HubFieldPath =
  | { readonly in: "request"; readonly member: string }
  | { readonly in: "tool"; readonly index: number; readonly kind: ToolCase | undefined; readonly member: string }
  | { readonly in: "system"; readonly steps: readonly [BlockStep, ...BlockStep[]]; readonly member: string }
  | {
      readonly in: "message";
      readonly index: number;
      /** True if it is in the conversation that is continued. */
      readonly isPrevious: boolean;
      /** The message as the caller sent it; undefined in a conversation that is continued. */
      readonly message: Message | undefined;
      /**
       * The block of the message, and those inside of it: of a tool's result, of a document. Empty for the message
       * itself.
       */
      readonly steps: readonly BlockStep[];
      readonly member: string;
    };

const PREVIOUS = "previous_id.";
const LISTED = /^(messages|system|tools)\[(\d+)\]/;
const STEP = /^\.content(?:\.blocks)?\[(\d+)\]/;
const TOOL_CASE = /^\.(function|custom|opaque)(?=\.|$)/;
const FORMAT_CASE = /^output_format\.(?:text|json_object|json_schema)(?=\.|$)/;

/** The names that a place may have for what a block is. */
const KINDS: Readonly<Record<string, BlockKind>> = {
  text: "text",
  image: "image",
  audio: "audio",
  document: "document",
  tool_use: "toolUse",
  tool_result: "toolResult",
  thinking: "thinking",
  redacted_thinking: "redactedThinking",
  refusal: "refusal",
  opaque: "opaque",
};
const KIND = new RegExp(`^\\.(${Object.keys(KINDS).join("|")})(?=\\.|$)`);

/**
 * Takes a place apart, such as `messages[1].content[0].title`, `tools[2]` or `reasoning.effort`: the names of a
 * message's fields as they are in proto, but that the name of a oneof's case may be left out, and that behind
 * `extension` stands a member of its JSON.
 */
export function parseHubPlace(place: string, input: InferenceInput): HubFieldPath {
  const isPrevious = place.startsWith(PREVIOUS);
  const rest = isPrevious ? place.slice(PREVIOUS.length) : place;
  const [found = "", list, digits] = LISTED.exec(rest) ?? [];
  const index = Number(digits);
  const below = rest.slice(found.length);
  switch (list) {
    case "messages": {
      const message = isPrevious ? undefined : input.messages[index];
      return { in: "message", index, isPrevious, message, ...parseSteps(below, [], message?.content) };
    }
    case "system": {
      const first = parseStep(below, index, input.system);
      const { steps, member } = parseSteps(first.below, [], inside(first.step.block));
      return { in: "system", steps: [first.step, ...steps], member };
    }
    case "tools":
      return parseTool(below, index, input.tools[index]);
    default:
      return { in: "request", member: place.replace(FORMAT_CASE, "output_format") };
  }
}

function parseTool(below: string, index: number, tool: Tool | undefined): HubFieldPath {
  const [named = "", kind = tool?.kind.case] = TOOL_CASE.exec(below) ?? [];
  return { in: "tool", index, kind: kind as ToolCase | undefined, member: getMember(below.slice(named.length)) };
}

/** `blocks` are those among which the next step is. */
function parseSteps(
  below: string,
  steps: BlockStep[],
  blocks: readonly ContentBlock[] | undefined,
): { readonly steps: readonly BlockStep[]; readonly member: string } {
  const [found, digits] = STEP.exec(below) ?? [];
  if (found === undefined) return { steps, member: getMember(below) };
  const next = parseStep(below.slice(found.length), Number(digits), blocks);
  return parseSteps(next.below, [...steps, next.step], inside(next.step.block));
}

function parseStep(
  below: string,
  index: number,
  blocks: readonly ContentBlock[] | undefined,
): { readonly step: BlockStep; readonly below: string } {
  const block = blocks?.[index];
  const [named = "", name = ""] = KIND.exec(below) ?? [];
  return { step: { index, block, kind: KINDS[name] ?? block?.kind.case }, below: below.slice(named.length) };
}

/** The blocks inside of a block. */
function inside(block: ContentBlock | undefined): readonly ContentBlock[] | undefined {
  const kind = block?.kind;
  if (kind?.case === "toolResult") return kind.value.content;
  const source = kind?.case === "document" ? kind.value.source : undefined;
  return source?.case === "content" ? source.value.blocks : undefined;
}

function getMember(below: string): string {
  return below.startsWith(".") ? below.slice(1) : below;
}
