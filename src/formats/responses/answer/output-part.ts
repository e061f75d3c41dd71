import {
  type Annotation,
  type ContentBlock,
  Dialect,
  type RawJson,
  type TokenLogprob,
  ToolKind,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { BlockDelta } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";

/** Text or a refusal: a part of a message item. */
export interface TextPart {
  readonly type: "text" | "refusal";
  text: string;
  readonly logprobs: TokenLogprob[];
  readonly annotations: Annotation[];
  /** Members that only this format knows. */
  readonly extension: JsonObject;
}

/** A call of a function or of a custom tool. */
export interface CallPart {
  readonly type: "call";
  readonly custom: boolean;
  readonly callId: string;
  readonly name: string;
  input: string;
  readonly extension: JsonObject;
}

/** Reasoning, readable or not. */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly summary: string[];
  text: string;
  opaque: string | undefined;
  readonly extension: JsonObject;
}

/** A whole item, or a whole part of a message item, that only this format knows. */
export interface OpaquePart {
  readonly type: "opaque";
  /** Holds the whole object. */
  readonly extension: JsonObject;
}

/** A web search that the provider of another format ran, which tells it in two blocks. */
export interface SearchCallPart {
  readonly type: "search";
  queries: readonly string[];
  /** The pages that it found, where the request asks for them. */
  sources: JsonObject[] | undefined;
  outcome: "pending" | "completed" | "failed";
  readonly extension: JsonObject;
}

/** A block of the answer in the terms of this format. It grows as deltas come. */
export type OutputPart = TextPart | CallPart | ReasoningPart | OpaquePart | SearchCallPart;

/** Copies a block; undefined for what this format cannot say in an answer, such as another format's own blocks. */
export function partFromBlock(block: ContentBlock): OutputPart | undefined {
  const { kind } = block;
  const extension: JsonObject = { ...readResponsesJson(block.extension) };
  switch (kind.case) {
    case "text":
    case "refusal":
      return {
        type: kind.case,
        text: kind.value.text,
        logprobs: [...(block.logprobs?.tokens ?? [])],
        annotations: [...(block.annotations?.annotations ?? [])],
        extension,
      };
    case "toolUse": {
      const { id, name, arguments: input } = kind.value;
      return { type: "call", custom: kind.value.kind === ToolKind.CUSTOM, callId: id, name, input, extension };
    }
    case "thinking": {
      const { summary, text, opaque } = kind.value;
      return { type: "reasoning", summary: [...summary], text, opaque, extension };
    }
    case "redactedThinking":
      return { type: "reasoning", summary: [], text: "", opaque: kind.value.data, extension };
    case "opaque": {
      const object = readResponsesJson(kind.value);
      return object && { type: "opaque", extension: object };
    }
    // A model's answer in this format holds no media; what other formats answer with them has no place here.
    case "image":
    case "audio":
    case "document":
    case "toolResult":
    case undefined:
      return undefined;
    default:
      return kind satisfies never;
  }
}

/** Adds a delta to a part. */
export function growPart(part: OutputPart, { delta, extension, logprobs }: BlockDelta): void {
  extendPart(part, extension);
  if (delta.case === "raw") extendPart(part, delta.value);
  switch (part.type) {
    case "text":
    case "refusal":
      if (delta.case === "text") part.text += delta.value;
      else if (delta.case === "annotation") part.annotations.push(delta.value);
      for (const token of logprobs?.tokens ?? []) part.logprobs.push(token);
      return;
    case "call":
      if (delta.case === "arguments") part.input += delta.value;
      return;
    case "reasoning":
      growReasoning(part, delta);
      return;
    case "opaque":
    case "search":
      return;
    default:
      part satisfies never;
  }
}

function growReasoning(part: ReasoningPart, delta: BlockDelta["delta"]): void {
  if (delta.case === "thinking") part.text += delta.value;
  else if (delta.case === "opaque") part.opaque = delta.value;
  else if (delta.case === "summary") {
    const { part: index, text } = delta.value;
    while (part.summary.length <= index) part.summary.push("");
    part.summary[index] = (part.summary[index] ?? "") + text;
  }
}

/** Adds members that only this format knows: lists such as annotations come piece by piece, others replace. */
export function extendPart({ extension }: OutputPart, raw: RawJson | undefined): void {
  if (raw?.dialect !== Dialect.RESPONSES) return;
  for (const [name, value] of Object.entries(readResponsesJson(raw) ?? {})) {
    const before = extension[name];
    if (Array.isArray(before) && Array.isArray(value)) for (const item of value) before.push(item);
    else extension[name] = value;
  }
}
