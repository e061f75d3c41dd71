import { createHash } from "node:crypto";
import { toBinary } from "@bufbuild/protobuf";
import { ReasoningEffort, ThinkingMode } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  FinishReason,
  type InferenceInput,
  InferenceInputSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { Answer, AnswerPart } from "./answer.ts";
import { callTool } from "./call-tool.ts";
import { chooseTools } from "./choose-tools.ts";
import { type Conversation, readConversation } from "./conversation.ts";
import type { Directive } from "./directive.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { longText, writeText } from "./write-text.ts";

/** Composes the answer to a request, always the same to the same request. Throws INVALID_REQUEST. */
export function composeAnswer(input: InferenceInput, directive: Directive | undefined, tokenizer: Tokenizer): Answer {
  switch (directive?.name) {
    case "refusal":
      return { parts: [{ kind: "refusal", text: "The sandbox was told to refuse." }], reason: FinishReason.REFUSAL };
    case "content-filter":
      return { parts: [{ kind: "text", text: "The sandbox was" }], reason: FinishReason.CONTENT_FILTER };
    case "empty":
      return { parts: [], reason: FinishReason.STOP };
    default:
      break;
  }
  const conversation = readConversation(input);
  const digest = createHash("sha256").update(toBinary(InferenceInputSchema, input)).digest("hex");
  const thinking = think(input, conversation, digest);
  if (directive?.name === "long") {
    return stopAt(input, thinking, longText(directive.value, tokenizer));
  }
  const tools = chooseTools(input, conversation);
  if (tools.length === 0) return stopAt(input, thinking, writeText(input, conversation));
  const calls = tools.map((tool, position) => {
    return callTool(tool, { dialect: input.dialect, userText: conversation.userText, id: callId(digest, position) });
  });
  return { parts: [...thinking, ...calls], reason: FinishReason.TOOL_USE };
}

/** Identifiers differ from turn to turn, since the digest covers the whole conversation. */
function callId(digest: string, position: number): string {
  return `call_${digest.slice(0, 22)}${String(position).padStart(2, "0")}`;
}

function think(input: InferenceInput, conversation: Conversation, digest: string): AnswerPart[] {
  if (!isThinkingAsked(input, conversation)) return [];
  const about = conversation.results.length > 0 ? "what the tools returned" : "what the user says";
  return [
    {
      kind: "thinking",
      text: `The sandbox does not reason. It answers by its rules to ${about}.`,
      isShown: input.reasoning?.display !== "omitted",
      signature: Buffer.from(`sandbox:${digest}`).toString("base64"),
    },
  ];
}

const WITHOUT_THINKING: ReadonlySet<ReasoningEffort> = new Set([
  ReasoningEffort.UNSPECIFIED,
  ReasoningEffort.NONE,
  ReasoningEffort.MINIMAL,
]);

function isThinkingAsked({ reasoning }: InferenceInput, conversation: Conversation): boolean {
  switch (reasoning?.mode) {
    case ThinkingMode.ENABLED:
    case ThinkingMode.ADAPTIVE:
      return true;
    case ThinkingMode.DISABLED:
      return false;
    case ThinkingMode.BETWEEN_TOOLS:
      return conversation.results.length > 0;
    default:
      return reasoning !== undefined && !WITHOUT_THINKING.has(reasoning.effort);
  }
}

/** Ends a text before the first stop sequence in it. */
function stopAt(input: InferenceInput, before: readonly AnswerPart[], text: string): Answer {
  const found = input.stopSequences
    .map((sequence) => ({ sequence, at: sequence === "" ? -1 : text.indexOf(sequence) }))
    .filter(({ at }) => at !== -1)
    .toSorted((one, other) => one.at - other.at)[0];
  if (found === undefined) return { parts: [...before, { kind: "text", text }], reason: FinishReason.STOP };
  return {
    parts: [...before, { kind: "text", text: text.slice(0, found.at) }],
    reason: FinishReason.STOP_SEQUENCE,
    stopSequence: found.sequence,
  };
}
