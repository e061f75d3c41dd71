import { toBinary } from "@bufbuild/protobuf";
import { ReasoningEffort, ThinkingMode, ToolKind } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  FinishReason,
  type InferenceInput,
  InferenceInputSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { Tokenizer } from "../../hub/tokens/tokenizer.ts";
import type { Answer, AnswerPart } from "./answer.ts";
import { type ChosenTool, chooseTools } from "./choose-tools.ts";
import { type Conversation, readConversation } from "./conversation.ts";
import type { Directive } from "./directive.ts";
import { fillIn } from "./fill-in.ts";
import { type SchemaAsker, schemaThread } from "./json/schema-thread.ts";
import { UnsatisfiableSchema } from "./json/unsatisfiable-schema.ts";
import { YieldTimer } from "./pause.ts";
import { quote } from "./quote.ts";
import { longText, writeText } from "./write-text.ts";

/** The options of composing an answer. */
interface ComposeOptions {
  readonly directive: Directive | undefined;
  readonly tokenizer: Tokenizer;
  readonly asker: SchemaAsker;
}

/** Composes the answer to a request, always the same to the same request. Throws INVALID_REQUEST. */
export async function composeAnswer(input: InferenceInput, options: ComposeOptions): Promise<Answer> {
  const { directive, tokenizer, asker } = options;
  const { signal } = asker;
  switch (directive?.name) {
    case "refusal":
      return {
        parts: [{ kind: "refusal", text: "The sandbox was directed to refuse." }],
        reason: FinishReason.REFUSAL,
      };
    case "content-filter":
      return { parts: [{ kind: "text", text: "The sandbox was" }], reason: FinishReason.CONTENT_FILTER };
    case "empty":
      return { parts: [], reason: FinishReason.STOP };
    default:
      break;
  }
  const conversation = readConversation(input);
  if (wantsRefusal(conversation.userText)) {
    return { parts: [{ kind: "refusal", text: "The sandbox was asked to refuse." }], reason: FinishReason.REFUSAL };
  }
  // In a thread of the system's: a prompt may have megabytes.
  const hash = await crypto.subtle.digest("SHA-256", toBinary(InferenceInputSchema, input));
  const digest = Buffer.from(hash).toString("hex");
  const thinking = think(input, conversation, digest);
  if (directive?.name === "long") {
    return await stopAt(input, { before: thinking, text: longText(directive.value, tokenizer), signal });
  }
  const tools = chooseTools(input, conversation);
  if (tools.length === 0) {
    return await stopAt(input, { before: thinking, text: await writeText(input, conversation, asker), signal });
  }
  const calls = await Promise.all(
    tools.map((tool, position) => callTool(tool, { id: callId(digest, position), asker })),
  );
  return { parts: [...thinking, ...calls], reason: FinishReason.TOOL_USE };
}

/** Tells whether a sentence of a text orders to refuse; one that only speaks of refusing does not. */
function wantsRefusal(text: string): boolean {
  return /(?:^|[.!?:\n])[ \t]{0,9}(?:please[, ]{1,3})?(?:you (?:must|should|shall) )?refuse\b/i.test(text);
}

/** Identifiers differ from turn to turn, since the digest covers the whole conversation. */
function callId(digest: string, position: number): string {
  return `call_${digest.slice(0, 22)}${String(position).padStart(2, "0")}`;
}

function think(input: InferenceInput, conversation: Conversation, digest: string): AnswerPart[] {
  if (!wantsThinking(input, conversation)) return [];
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

function wantsThinking({ reasoning }: InferenceInput, conversation: Conversation): boolean {
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

interface StoppedText {
  readonly before: readonly AnswerPart[];
  readonly text: string;
  readonly signal: AbortSignal;
}

/** Ends a text before the first stop sequence in it. */
async function stopAt(input: InferenceInput, { before, text, signal }: StoppedText): Promise<Answer> {
  const turns = new YieldTimer(signal);
  let [at, stopSequence] = [text.length, ""];
  for (const sequence of input.stopSequences) {
    const found = sequence === "" ? -1 : text.indexOf(sequence);
    if (found !== -1 && found < at) [at, stopSequence] = [found, sequence];
    if (turns.isOver) await turns.next();
  }
  if (stopSequence === "") return { parts: [...before, { kind: "text", text }], reason: FinishReason.STOP };
  return {
    parts: [...before, { kind: "text", text: text.slice(0, at) }],
    reason: FinishReason.STOP_SEQUENCE,
    stopSequence,
  };
}

/** The facts that a call is made from, beside its tool and the prompt. */
interface CallFacts {
  readonly id: string;
  readonly asker: SchemaAsker;
}

/**
 * Calls a tool with arguments that its schema accepts, from the text where it has some. Throws INVALID_REQUEST if it
 * accepts none.
 */
async function callTool({ callable, text: input }: ChosenTool, { id, asker }: CallFacts): Promise<AnswerPart> {
  const { name } = callable.tool;
  if (callable.kind === "custom") {
    const text = input === "" ? "The sandbox calls this tool." : quote(input);
    return { kind: "toolUse", id, name, toolKind: ToolKind.CUSTOM, text };
  }
  try {
    const schemaJson = callable.tool.parametersJson ?? "{}";
    const valueJson = await schemaThread.satisfy(schemaJson, "object", asker);
    const text = fillIn({ valueJson, schemaJson, text: input, toolName: name });
    return { kind: "toolUse", id, name, toolKind: ToolKind.FUNCTION, text };
  } catch (thrown) {
    if (!(thrown instanceof UnsatisfiableSchema)) throw thrown;
    throw InferenceError.invalid(
      `tools[${callable.index}].parameters_json`,
      `of the tool '${name}': ${thrown.message}`,
    );
  }
}
