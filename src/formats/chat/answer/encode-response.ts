import type { ContentBlock } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { Finished, GenerateResponse } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { encodeAnnotations } from "../../shared/annotations.ts";
import type { DecodedRequest } from "../../shared/codec.ts";
import { type JsonObject, mergeMembers } from "../../shared/json.ts";
import { encodeLogprobs } from "../../shared/logprobs.ts";
import { blockMembers } from "../block-members.ts";
import { encodeFunctionCall, encodeToolCall, isFunctionCall } from "../encode-tool-call.ts";
import { CHAT_ANNOTATIONS, CHAT_LOGPROBS } from "../forms.ts";
import { encodeReasoningDetails, isReasoning, joinReasoning, needsDetails, opaqueCall } from "../reasoning-details.ts";
import { usesFunctions } from "../request/decode-functions.ts";
import { answerMembers, mapFinishReason, missingRefusal } from "./encode-finish.ts";
import { encodeUsage } from "./encode-usage.ts";

/** Encodes a whole answer. */
export function encodeResponse(
  response: GenerateResponse,
  { body }: Pick<DecodedRequest, "body"> = { body: {} },
): string {
  const { finished, furtherChoices } = response;
  const isOlder = usesFunctions(body);
  const answer = {
    id: response.id,
    object: "chat.completion",
    created: Number(response.createdAt?.seconds ?? 0),
    model: response.model,
    // Typed clients read nothing without it; the upstream's own stays in the record.
    system_fingerprint: null,
    choices: [response, ...furtherChoices].map((choice, index) => encodeChoice(choice, index, isOlder)),
    usage: encodeUsage(finished?.usage),
  };
  for (const end of [finished, ...furtherChoices.map((choice) => choice.finished)])
    mergeMembers(answer, answerMembers(end).answer);
  return JSON.stringify(answer);
}

function encodeChoice(
  { content, finished }: Pick<GenerateResponse, "content" | "finished">,
  index: number,
  isOlder: boolean,
): JsonObject {
  const members = answerMembers(finished);
  const older = isOlder ? content.find(isFunctionCall) : undefined;
  const calls = encodeCalls(content.filter((block) => block !== older));
  const called = {
    ...(older === undefined ? {} : { function_call: encodeFunctionCall(older) }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const choice = {
    index,
    message: addMembers(encodeMessage(content, called, finished), members.message),
    logprobs: joinLogprobs(content),
    finish_reason: mapFinishReason(finished, { calls: calls.length, isOlder: older !== undefined }),
  };
  return mergeMembers(choice, members.choice);
}

/** Entries of reasoning whose types are not known stand behind the others. */
function addMembers(message: JsonObject, members: JsonObject): JsonObject {
  const [known, others] = [message["reasoning_details"], members["reasoning_details"]];
  if (Array.isArray(known) && Array.isArray(others)) message["reasoning_details"] = [...known, ...others];
  return mergeMembers(message, members);
}

function encodeCalls(content: readonly ContentBlock[]): JsonObject[] {
  return content.flatMap((block) => {
    const { kind, extension } = block;
    if (kind.case === "toolUse") return [mergeMembers({ ...encodeToolCall(kind.value) }, blockMembers(extension))];
    const opaque = opaqueCall(block);
    return opaque === undefined ? [] : [opaque];
  });
}

function encodeMessage(
  content: readonly ContentBlock[],
  called: JsonObject,
  finished: Finished | undefined,
): JsonObject {
  const reasoning = joinReasoning(content);
  const refusal = joinTexts(content, "refusal");
  const annotations = joinAnnotations(content);
  const details = content.some(needsDetails) ? content.filter(isReasoning).flatMap(encodeReasoningDetails) : undefined;
  return {
    role: "assistant",
    content: joinTexts(content, "text"),
    refusal: missingRefusal(finished, Boolean(refusal)) ?? refusal,
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(details === undefined ? {} : { reasoning_details: details }),
    ...called,
  };
}

/** Joins the blocks of a kind; null if there are none. */
function joinTexts(content: readonly ContentBlock[], wanted: "text" | "refusal"): string | null {
  let joined: string | null = null;
  for (const { kind } of content) if (kind.case === wanted) joined = (joined ?? "") + kind.value.text;
  return joined;
}

/** Joins the annotations of texts, whose places count through the whole message here. */
function joinAnnotations(content: readonly ContentBlock[]): JsonObject[] {
  const joined: JsonObject[] = [];
  let offset = 0;
  for (const { kind, annotations } of content) {
    for (const annotation of encodeAnnotations(annotations, CHAT_ANNOTATIONS, offset)) joined.push(annotation);
    if (kind.case === "text") offset += kind.value.text.length;
  }
  return joined;
}

function joinLogprobs(content: readonly ContentBlock[]): JsonObject | null {
  const tokens: { content: unknown[]; refusal: unknown[] } = { content: [], refusal: [] };
  for (const { kind, logprobs } of content) {
    if (logprobs === undefined) continue;
    for (const token of encodeLogprobs(logprobs, CHAT_LOGPROBS))
      tokens[kind.case === "refusal" ? "refusal" : "content"].push(token);
  }
  const orNull = (list: unknown[]): unknown[] | null => (list.length === 0 ? null : list);
  if (tokens.content.length + tokens.refusal.length === 0) return null;
  return { content: orNull(tokens.content), refusal: orNull(tokens.refusal) };
}
