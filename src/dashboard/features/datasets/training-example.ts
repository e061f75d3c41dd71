import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type Message,
  MessageSchema,
  Role,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { jsonBytes } from "../../../formats/shared/json-bytes.ts";
import type { InferenceContent } from "../../../store/types/inference-body.ts";
import { encodeInFormat } from "../history/encode-in-format.ts";

/** The form of training data: that of OpenAI, or that of Anthropic's models on Amazon Bedrock. */
export const TRAINING_FORMS = ["openai", "anthropic"] as const;
type TrainingForm = (typeof TRAINING_FORMS)[number];

/** A request and its answer as an example. */
export interface ExampleQuery {
  readonly form: TrainingForm;
  /** True if feedback says that the answer was bad. */
  readonly isBad: boolean;
}

/**
 * Writes a request and its answer as a line of training data, without line break; undefined where the form cannot hold
 * it, or there is no answer.
 */
export function trainingExample(content: InferenceContent, query: ExampleQuery): string | undefined {
  if (content.output.content.length === 0) return undefined;
  const example = query.form === "openai" ? openaiExample(content, query.isBad) : anthropicExample(content);
  return example && new TextDecoder().decode(jsonBytes(example));
}

/** Returns the request with its answer as the last message. */
function withAnswer({ input, output }: InferenceContent) {
  const answer = create(MessageSchema, { role: Role.ASSISTANT, content: output.content });
  return { ...input, messages: [...input.messages, answer].map(withWholeTexts) };
}

/** Models write one text, which citations cut into blocks. */
function withWholeTexts(message: Message): Message {
  if (message.role !== Role.ASSISTANT) return message;
  const content: ContentBlock[] = [];
  for (const block of message.content) {
    const before = content.at(-1)?.kind;
    if (before?.case !== "text" || block.kind.case !== "text") content.push(block);
    else content[content.length - 1] = textBlock(before.value.text + block.kind.value.text);
  }
  return create(MessageSchema, { ...message, content });
}

function textBlock(text: string): ContentBlock {
  return create(ContentBlockSchema, { kind: { case: "text", value: { text } } });
}

type Json = Readonly<Record<string, unknown>>;

/**
 * `FineTuneChatRequestInput` of OpenAI's API: messages, tools and parallel_tool_calls. An answer of weight 0 is not
 * trained on. Every answer has a weight and every text is a string, for Hugging Face's datasets takes the types of a
 * file from its first 10 MB.
 */
function openaiExample(content: InferenceContent, isBad: boolean): Json | undefined {
  const { body } = encodeInFormat(withAnswer(content), { format: "chat", model: "", streamed: false });
  const { messages, tools, parallel_tool_calls } = body as { readonly messages: readonly Json[] } & Json;
  const [answer] = messages.slice(-1);
  if (answer?.["role"] !== "assistant") return undefined;
  const all = [...messages.slice(0, -1), { ...answer, weight: isBad ? 0 : 1 }];
  return {
    messages: all.map((message) => ({ ...message, content: joinText(message["content"]) ?? message["content"] })),
    ...(tools === undefined ? {} : { tools }),
    ...(parallel_tool_calls === undefined ? {} : { parallel_tool_calls }),
  };
}

/** Without it the answer would be a text to go on with, which may not end in white space. */
const NEXT_TURN = create(MessageSchema, { role: Role.USER, content: [textBlock(".")] });

/**
 * The form of platform.claude.com/cookbook/finetuning-finetuning-on-bedrock: system and messages of text alone, of user
 * and assistant in turns, no other members.
 */
function anthropicExample(content: InferenceContent): Json | undefined {
  const [first] = content.input.messages.filter(({ role }) => role !== Role.SYSTEM && role !== Role.DEVELOPER);
  // A user's turn would be invented before it.
  if (first?.role !== Role.USER) return undefined;
  const { messages: turns, ...input } = withAnswer(content);
  const query = { format: "messages", model: "", streamed: false } as const;
  const { body } = encodeInFormat({ ...input, messages: [...turns, NEXT_TURN] }, query);
  const { system, messages } = body as { readonly system?: unknown; readonly messages: readonly Json[] };
  const texts = messages.slice(0, -1).map((message) => ({
    role: message["role"],
    content: joinText(message["content"]),
  }));
  const isInTurns = texts.every(({ role }, index) => role === (index % 2 === 0 ? "user" : "assistant"));
  if (!isInTurns || texts.length % 2 !== 0 || texts.some((message) => message.content === undefined)) return undefined;
  const prompt = system === undefined ? undefined : joinText(system);
  if (system !== undefined && prompt === undefined) return undefined;
  return { ...(prompt === undefined ? {} : { system: prompt }), messages: texts };
}

/** Thinking is left out; undefined for what is no text, such as a picture or the call of a tool. */
function joinText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const blocks = (content as readonly Json[]).filter(({ type }) => !/^(redacted_)?thinking$/.test(String(type)));
  if (blocks.length === 0 || blocks.some(({ type }) => type !== "text")) return undefined;
  return blocks.map(({ text }) => String(text)).join("\n\n");
}
