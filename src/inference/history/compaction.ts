import { Buffer } from "node:buffer";
import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  Dialect,
  type Message,
  MessageSchema,
  type RawJson,
  RawJsonSchema,
  Role,
  ToolChoiceMode,
  ToolChoiceSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import {
  FinishReason,
  type GenerateResponse,
  GenerateResponseSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { offersTools } from "../../hub/brought-tools.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import type { Upstream, UpstreamCall, UpstreamTarget } from "../../hub/upstream.ts";
import type { Signer } from "../../lib/signer.ts";
import type { Origin } from "../ports.ts";
import type { Prompt } from "./history.ts";
import { openSeal, seal } from "./seal.ts";

/** The instruction to a model without a compaction of its own. */
const INSTRUCTION = `Summarize the conversation above. Your summary will take its place: you will go on from the summary alone, \
without the conversation. Keep what you need for that: what the user wants and has ruled out, what was decided and why, \
facts, names, numbers, paths, identifiers and code that still matter, what tools gave, what was done, what is still to be \
done and what comes next. Call no tool. Answer with the summary and nothing else.`;

/** Begins the message that a summary comes back as. */
const HEADING = "This is a summary of our conversation so far:\n\n";

/** Types of items that hold a compaction. */
const TYPES: ReadonlySet<unknown> = new Set(["compaction", "compaction_summary"]);

/**
 * Translates an input for an upstream, as Upstream.prepare() does; `own` is the reasoning in it that the upstream
 * itself made. One that is to compact the conversation and cannot is asked to summarise it; servers of a format that
 * has compactions need not have them.
 */
export function prepareInput(
  upstream: Upstream,
  { input, own }: { readonly input: HubInput; readonly own: ReadonlySet<ContentBlock> },
  planned: UpstreamTarget,
): UpstreamCall {
  const target = { ...planned, ownReasoning: own };
  const call = upstream.prepare(toSentInput(upstream, input), target);
  if (!input.compact || upstream.compacts !== true) return call;
  return {
    ...call,
    async send(sink, signal) {
      try {
        await call.send(sink, signal);
      } catch (thrown) {
        const { upstreamStatus } = InferenceError.from(thrown).facts;
        if (upstreamStatus !== 404 && upstreamStatus !== 405) throw thrown;
        await upstream.prepare(summarising(input), target).send(sink, signal);
      }
    },
  };
}

/** Returns what an upstream is sent of an input: one that has no compactions, the instruction to summarise too. */
export function toSentInput(upstream: Upstream, input: HubInput): HubInput {
  return input.compact && upstream.compacts !== true ? summarising(input) : input;
}

/**
 * Returns an input that has a model summarise the conversation: its tools stay, since the conversation has calls of
 * them.
 */
function summarising(input: HubInput): HubInput {
  const { outputFormat: _format, toolChoice: _choice, ...members } = input;
  const text = create(ContentBlockSchema, { kind: { case: "text", value: { text: INSTRUCTION } } });
  const toolChoice = create(ToolChoiceSchema, { mode: ToolChoiceMode.NONE });
  return {
    ...members,
    compact: false,
    ...(offersTools(input) && { toolChoice }),
    messages: [...input.messages, create(MessageSchema, { role: Role.USER, content: [text] })],
  };
}

/**
 * Returns the answer to a request for a compaction: the items of an upstream that has compactions of its own, or one
 * item that holds the summary of a model. What they hold comes back sealed. Throws UPSTREAM_ERROR where the model gave
 * no whole summary.
 */
export function toCompaction(response: GenerateResponse, origin: Origin, signer: Signer): GenerateResponse {
  const items = response.content.map((block) => sealItem(block, origin, signer));
  if (items.some((item) => item !== undefined)) {
    const content = response.content.map((block, index) => items[index] ?? block);
    return create(GenerateResponseSchema, { ...response, content });
  }
  const summary = getSummary(response);
  const encrypted_content = seal(signer, origin, Buffer.from(summary).toString("base64"), "summary");
  const id = `cmp_${response.id.replaceAll("-", "")}`;
  return create(GenerateResponseSchema, {
    ...response,
    content: [itemBlock({ id, type: "compaction", encrypted_content })],
  });
}

function getSummary({ id, content, finished }: GenerateResponse): string {
  const summary = content.map(({ kind }) => (kind.case === "text" ? kind.value.text : "")).join("");
  const { reason } = finished ?? {};
  if (reason === FinishReason.LENGTH || reason === FinishReason.CONTEXT_WINDOW) {
    throw failed(id, "the model's summary was cut off before its end");
  }
  if (reason === FinishReason.REFUSAL || reason === FinishReason.CONTENT_FILTER || summary.trim() === "") {
    throw failed(id, "the model didn't return a summary of the conversation");
  }
  return summary;
}

function failed(inferenceId: string, message: string): InferenceError {
  return new InferenceError(ErrorReason.UPSTREAM_ERROR, message, { inferenceId });
}

/**
 * Puts the summaries that compactions hold in the place of these, for whatever upstream. Throws INVALID_REQUEST for one
 * that was damaged.
 */
export function openSummaries(prompt: Prompt): Prompt {
  const { signer } = prompt;
  const { messages } = prompt.input;
  if (!messages.some(({ content }) => content.some((block) => readSealed(block) !== undefined))) return prompt;
  const opened = messages.map((message, index): Message => {
    const sealed = message.content[0] && readSealed(message.content[0]);
    const found = sealed === undefined ? undefined : openSeal(signer, sealed);
    if (found === undefined || found.kind === "foreign") return message;
    if (found.kind === "garbled" || (found.state !== "summary" && found.state !== "compaction")) {
      const path = `messages[${index}].encrypted_content`;
      throw InferenceError.invalid(path, "the compaction was changed: send it back as it came");
    }
    if (found.state === "compaction") return message;
    const text = HEADING + Buffer.from(found.blob, "base64").toString("utf8");
    const block = create(ContentBlockSchema, { kind: { case: "text", value: { text } } });
    return create(MessageSchema, { role: Role.USER, content: [block] });
  });
  return { ...prompt, input: { ...prompt.input, messages: opened } };
}

/**
 * The sealed state of a compaction that an upstream has made, or the summary of a model; undefined for any other block.
 */
export function readSealed({ kind }: ContentBlock): string | undefined {
  if (kind.case !== "opaque" || kind.value.dialect !== Dialect.RESPONSES) return undefined;
  // Most opaque blocks are something else, and may be large.
  if (!kind.value.json.includes('"att1.')) return undefined;
  const item = getItem(kind.value);
  return typeof item?.["encrypted_content"] === "string" ? item["encrypted_content"] : undefined;
}

/** Returns a compaction with the state that its maker gave it, or without anything that another upstream could read. */
export function withState(block: ContentBlock, state: string | undefined): ContentBlock {
  const item = block.kind.case === "opaque" ? getItem(block.kind.value) : undefined;
  if (item !== undefined && state !== undefined) return itemBlock({ ...item, encrypted_content: state });
  // Of no dialect: every upstream leaves it out, and names it as a loss.
  const value = create(RawJsonSchema, { json: '{"type":"compaction"}' });
  return create(ContentBlockSchema, { ...block, kind: { case: "opaque", value } });
}

function sealItem({ kind }: ContentBlock, origin: Origin, signer: Signer): ContentBlock | undefined {
  const item = kind.case === "opaque" ? getItem(kind.value) : undefined;
  if (item === undefined || typeof item["encrypted_content"] !== "string") return undefined;
  return itemBlock({ ...item, encrypted_content: seal(signer, origin, item["encrypted_content"], "compaction") });
}

function itemBlock(item: object): ContentBlock {
  const value = create(RawJsonSchema, { dialect: Dialect.RESPONSES, json: JSON.stringify(item) });
  return create(ContentBlockSchema, { kind: { case: "opaque", value } });
}

function getItem({ json }: RawJson): Record<string, unknown> | undefined {
  const item: unknown = JSON.parse(json);
  const isCompaction = typeof item === "object" && item !== null && "type" in item && TYPES.has(item.type);
  return isCompaction ? { ...item } : undefined;
}
