import { type ContentBlock, RoleSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  FinishReasonSchema,
  type GenerateResponse,
  type InferenceInput,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { AnswerWebhook } from "../../../catalog/model.ts";
import { enumName } from "../../../lib/protobuf/enum-name.ts";

/** Most characters of an answer that is sent. Part of one would be another answer. */
const MAX_ANSWER_LENGTH = 2 ** 20;
/** The characters that a call counts for beside its texts. */
const CALL_LENGTH = 64;
/** Most characters of a prompt that is sent. */
const MAX_PROMPT_LENGTH = 2 ** 18;

/** Returns what a webhook is sent of an answer, as JSON; undefined where the answer is too large. */
export function webhookBody(
  { id, content, finished }: GenerateResponse,
  input: InferenceInput,
  { sendPrompt }: Pick<AnswerWebhook, "sendPrompt">,
): string | undefined {
  const text = getText(content);
  const calls = content.flatMap(({ kind }) => (kind.case === "toolUse" ? [kind.value] : []));
  let length = text.length;
  for (const { name, arguments: given } of calls) length += CALL_LENGTH + name.length + given.length;
  if (length > MAX_ANSWER_LENGTH) return undefined;
  return JSON.stringify({
    id,
    model: input.model,
    workload: input.workload,
    answer: {
      text,
      tool_calls: calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
      finish_reason: enumName(FinishReasonSchema, finished?.reason ?? 0),
    },
    ...(sendPrompt && { prompt: getPrompt(input) }),
  });
}

interface PromptMessage {
  readonly role: string;
  readonly text: string;
}

/** The texts of a prompt, without the oldest ones where they are too long together. */
function getPrompt({ system, messages }: InferenceInput): { messages: PromptMessage[]; truncated: boolean } {
  const all = [
    ...(system.length === 0 ? [] : [{ role: "system", content: system }]),
    ...messages.map(({ role, content }) => ({ role: enumName(RoleSchema, role), content })),
  ];
  const included: PromptMessage[] = [];
  let room = MAX_PROMPT_LENGTH;
  for (const { role, content } of all.reverse()) {
    const text = getText(content);
    room -= CALL_LENGTH + text.length;
    if (room < 0) break;
    included.push({ role, text });
  }
  return { messages: included.reverse(), truncated: included.length < all.length };
}

/** Returns the text of a message, without tool results, pictures and reasoning. */
function getText(content: readonly ContentBlock[]): string {
  return content.flatMap(({ kind }) => (kind.case === "text" ? [kind.value.text] : [])).join("");
}
