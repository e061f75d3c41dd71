import { type Answer, type AnswerReader, append, NO_ANSWER, type TokenUsage } from "./answer.ts";
import { arrayAt, at, numberAt, textAt } from "./json.ts";

/** Reads Chat Completions. */
export const readChat: AnswerReader = {
  whole(body) {
    const read = addMessage({ ...NO_ANSWER, id: textAt(body, "id") }, at(body, "choices", 0, "message"));
    return { ...read, finish: textAt(body, "choices", 0, "finish_reason"), usage: readUsage(at(body, "usage")) };
  },
  event(answer, data) {
    const read = addMessage({ ...answer, id: answer.id || textAt(data, "id") }, at(data, "choices", 0, "delta"));
    return {
      ...read,
      finish: textAt(data, "choices", 0, "finish_reason") || answer.finish,
      usage: readUsage(at(data, "usage")) ?? answer.usage,
      error: textAt(data, "error", "message") || answer.error,
    };
  },
};

const TEXTS = [
  ["reasoning_content", "thinking"],
  ["content", "text"],
  ["refusal", "refusal"],
] as const;

/** A whole message and a part of one have the same members. */
function addMessage(answer: Answer, message: unknown): Answer {
  let added = answer;
  for (const [member, kind] of TEXTS) {
    const text = textAt(message, member);
    if (text !== "") added = append(added, { key: kind, kind, text });
  }
  for (const [position, call] of arrayAt(message, "tool_calls").entries()) {
    const key = `tool ${numberAt(call, "index") ?? position}`;
    const name = textAt(call, "function", "name") || textAt(call, "custom", "name");
    const text = textAt(call, "function", "arguments") || textAt(call, "custom", "input");
    added = append(added, { key, kind: "tool", name, text });
  }
  return added;
}

function readUsage(usage: unknown): TokenUsage | undefined {
  const inputTokens = numberAt(usage, "prompt_tokens");
  if (inputTokens === undefined) return undefined;
  return {
    inputTokens,
    cachedTokens: numberAt(usage, "prompt_tokens_details", "cached_tokens") ?? 0,
    outputTokens: numberAt(usage, "completion_tokens") ?? 0,
    reasoningTokens: numberAt(usage, "completion_tokens_details", "reasoning_tokens") ?? 0,
  };
}
