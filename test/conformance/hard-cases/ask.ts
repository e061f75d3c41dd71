import { bodyOf, type Format } from "../../support/sdk-calls.ts";
import type { HardCases } from "./hard-case.ts";

/** What was said, in terms that the three formats share. */
export interface Said {
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  /** The format's own word for why the answer ended. */
  readonly reason: string;
  /** Tokens of the whole prompt, those of caches included. */
  readonly prompt: number;
  readonly output: number;
}

/** What is asked of a model. */
export interface Question {
  readonly model: string;
  readonly members?: object;
  /** Through the official client's accumulator. */
  readonly stream?: boolean;
}

/** Asks through the official client of a format. */
export function ask(cases: HardCases, format: Format, question: Question): Promise<Said> {
  return ASK[format](cases, question);
}

const ASK: Record<Format, (cases: HardCases, question: Question) => Promise<Said>> = {
  chat: askChat,
  responses: askResponses,
  messages: askMessages,
};

/** The official types describe requests that are right; some of these are not meant to be. */
function body(format: Format, { model, members, stream }: Question): never {
  const usage = format === "chat" && stream === true ? { stream_options: { include_usage: true } } : {};
  return { ...bodyOf(format, model), ...usage, ...members } as never;
}

async function askChat(cases: HardCases, question: Question): Promise<Said> {
  const { completions } = cases.openai().chat;
  const answer = question.stream
    ? await completions.stream(body("chat", question)).finalChatCompletion()
    : await completions.create(body("chat", question));
  const [choice] = answer.choices;
  const calls = (choice?.message.tool_calls ?? []).flatMap((call) =>
    call.type === "function" ? [{ id: call.id, name: call.function.name, arguments: call.function.arguments }] : [],
  );
  return {
    text: choice?.message.content ?? "",
    refusal: choice?.message.refusal ?? "",
    calls,
    reason: choice?.finish_reason ?? "",
    prompt: answer.usage?.prompt_tokens ?? 0,
    output: answer.usage?.completion_tokens ?? 0,
  };
}

async function askResponses(cases: HardCases, question: Question): Promise<Said> {
  const { responses } = cases.openai();
  const answer = question.stream
    ? await responses.stream(body("responses", question)).finalResponse()
    : await responses.create(body("responses", question));
  const parts = answer.output.flatMap((item) => (item.type === "message" ? item.content : []));
  return {
    text: parts.map((part) => (part.type === "output_text" ? part.text : "")).join(""),
    refusal: parts.map((part) => (part.type === "refusal" ? part.refusal : "")).join(""),
    calls: answer.output.flatMap((item) =>
      item.type === "function_call" ? [{ id: item.call_id, name: item.name, arguments: item.arguments }] : [],
    ),
    reason: answer.incomplete_details?.reason ?? answer.status ?? "",
    prompt: answer.usage?.input_tokens ?? 0,
    output: answer.usage?.output_tokens ?? 0,
  };
}

async function askMessages(cases: HardCases, question: Question): Promise<Said> {
  const { messages } = cases.anthropic();
  const answer = question.stream
    ? await messages.stream(body("messages", question)).finalMessage()
    : await messages.create(body("messages", question));
  const { usage } = answer;
  return {
    text: answer.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    refusal: answer.stop_details?.explanation ?? "",
    calls: answer.content.flatMap((block) =>
      block.type === "tool_use" ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input) }] : [],
    ),
    reason: answer.stop_reason ?? "",
    prompt: usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
    output: usage.output_tokens,
  };
}
