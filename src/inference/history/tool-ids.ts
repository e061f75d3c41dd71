import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  ToolResultBlockSchema,
  ToolUseBlockSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type GenerateEvent,
  GenerateEventSchema,
  type InferenceInput,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { routedModelCode } from "../../hub/routed-model-code.ts";
import type { SignedText, Signer } from "../../lib/signer.ts";
import type { Sealing } from "./seal-events.ts";

/** Stands between a call's own id and the mark: letters that every format takes in an id. */
const MARK = "_at";
const MARKED = /^(.*)_at([0-9a-f]{8})([0-9a-f]{16})$/s;
/**
 * Bytes of a signature: ids are to be short, and a forger, who would steer nothing but calls of the own project, has
 * one try a request.
 */
const SIGNATURE_BYTES = 8;

/** Begins the mark by which the answer that called is found again. */
const RECORD_MARK = "_ar";
const RECORDED = /^(.*)_ar([\w-]{22})([\w-]{8})$/s;
/** A forger would get nothing but the reasoning of an answer of the own project. */
const RECORD_SIGNATURE_BYTES = 6;

/** The id of a tool call as its model gave it, who that was, and the inference whose answer called. */
interface OpenedToolId {
  readonly id: string;
  /** `routedModelCode` of the model that called; "" for the one that was asked for. */
  readonly code: string;
  readonly inferenceId?: string | undefined;
}

/**
 * Marks the id of a tool call with the code of the model that called, where another model answered than was asked for:
 * the results come back to any replica, and have to go to the model that waits for them.
 */
export function markToolId(signer: Signer, id: string, code: string): string {
  return `${id}${MARK}${code}${signer.sign(getText(id, code), SIGNATURE_BYTES).toString("hex")}`;
}

/** Marks the id of a tool call with the inference whose answer calls. */
export function markRecord(signer: Signer, id: string, inferenceId: string): string {
  const code = Buffer.from(inferenceId.replaceAll("-", ""), "hex").toString("base64url");
  return `${id}${RECORD_MARK}${code}${signer.sign(getText(id, code), RECORD_SIGNATURE_BYTES).toString("base64url")}`;
}

/** Opens what `markToolId` and `markRecord` made with a signer of the same installation and project. */
export function openToolId(signer: Signer, marked: string): OpenedToolId | undefined {
  const routed = openRoute(signer, marked);
  const recorded = openRecord(signer, routed?.id ?? marked);
  return recorded === undefined ? routed : { code: "", ...routed, ...recorded };
}

function openRecord(signer: Signer, marked: string): Required<Pick<OpenedToolId, "id" | "inferenceId">> | undefined {
  if (!marked.includes(RECORD_MARK)) return undefined;
  const [, id = "", code = "", signature = ""] = RECORDED.exec(marked) ?? [];
  const proof = Buffer.from(signature, "base64url");
  if (code === "" || !signer.verifies(proof, getText(id, code), RECORD_SIGNATURE_BYTES)) return undefined;
  const hex = Buffer.from(code, "base64url").toString("hex");
  return { id, inferenceId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") };
}

function openRoute(signer: Signer, marked: string): Pick<OpenedToolId, "id" | "code"> | undefined {
  // Nearly no id is marked, and all are looked at.
  if (!marked.includes(MARK)) return undefined;
  const [, id = "", code = "", signature = ""] = MARKED.exec(marked) ?? [];
  if (code === "" || !signer.verifies(Buffer.from(signature, "hex"), getText(id, code), SIGNATURE_BYTES))
    return undefined;
  return { id, code };
}

/** Returns the mark on the id of a block's call, if it is one and has one. */
export function openedToolId(signer: Signer, { kind }: ContentBlock): OpenedToolId | undefined {
  if (kind.case === "toolUse") return openToolId(signer, kind.value.id);
  return kind.case === "toolResult" ? openToolId(signer, kind.value.toolUseId) : undefined;
}

/**
 * Returns whose tool calls a conversation's last message answers: the model's code where it was not the one that was
 * asked for, "" where it was; undefined if it answers none.
 */
export function awaitingModel(signer: Signer, { messages }: Pick<InferenceInput, "messages">): string | undefined {
  const results = (messages.at(-1)?.content ?? []).filter(({ kind }) => kind.case === "toolResult");
  if (results.length === 0) return undefined;
  for (const result of results) {
    const opened = openedToolId(signer, result);
    if (opened !== undefined) return opened.code;
  }
  return "";
}

export function isMarkedBlock(signer: Signer, block: ContentBlock): boolean {
  return openedToolId(signer, block) !== undefined;
}

/**
 * Returns a block with the ids of its calls and results as their models gave them: the block itself where none is
 * marked.
 */
export function openToolBlock(signer: Signer, block: ContentBlock): ContentBlock {
  const opened = openedToolId(signer, block);
  const { kind } = block;
  if (opened === undefined) return block;
  if (kind.case === "toolUse") {
    const value = create(ToolUseBlockSchema, { ...kind.value, id: opened.id });
    return create(ContentBlockSchema, { ...block, kind: { case: "toolUse", value } });
  }
  if (kind.case !== "toolResult") return block;
  const value = create(ToolResultBlockSchema, { ...kind.value, toolUseId: opened.id });
  return create(ContentBlockSchema, { ...block, kind: { case: "toolResult", value } });
}

/**
 * Returns an event with the id of the tool call marked that begins with it, where another model answers than was asked
 * for, or `recordedAs` says which inference's answer is to be found again; otherwise the event itself.
 */
export function markToolCall(
  event: GenerateEvent,
  { answering, asked, signer }: Omit<Sealing, "place">,
  recordedAs?: string,
): GenerateEvent {
  if (answering === asked && recordedAs === undefined) return event;
  const { case: kind, value } = event.event;
  if (kind !== "blockStart" || value.block?.kind.case !== "toolUse") return event;
  const call = value.block.kind.value;
  const recorded = recordedAs === undefined ? call.id : markRecord(signer, call.id, recordedAs);
  const isRouted = answering !== asked;
  const id = isRouted ? markToolId(signer, recorded, routedModelCode(asked.name, answering.name)) : recorded;
  const marked = create(ToolUseBlockSchema, { ...call, id });
  const block = create(ContentBlockSchema, { ...value.block, kind: { case: "toolUse", value: marked } });
  return create(GenerateEventSchema, { event: { case: kind, value: { ...value, block } } });
}

function getText(id: string, code: string): SignedText {
  return { purpose: "tool call", label: code, payload: id };
}
