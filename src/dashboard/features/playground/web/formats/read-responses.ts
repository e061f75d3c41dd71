import { type Answer, type AnswerReader, append, NO_ANSWER, type TokenUsage } from "./answer.ts";
import { arrayAt, at, numberAt, textAt } from "./json.ts";

/** Reads Responses. */
export const readResponses: AnswerReader = {
  whole(body) {
    let answer: Answer = NO_ANSWER;
    for (const [position, item] of arrayAt(body, "output").entries()) answer = addItem(answer, item, position);
    return addResource(answer, body);
  },
  event(answer, data) {
    const type = textAt(data, "type");
    const delta = textAt(data, "delta");
    const item = numberAt(data, "output_index") ?? 0;
    const part = numberAt(data, "content_index") ?? numberAt(data, "summary_index") ?? 0;
    switch (type) {
      case "response.output_text.delta":
        return append(answer, { key: `text ${item} ${part}`, kind: "text", text: delta });
      case "response.refusal.delta":
        return append(answer, { key: `refusal ${item} ${part}`, kind: "refusal", text: delta });
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return append(answer, { key: `thinking ${item} ${type} ${part}`, kind: "thinking", text: delta });
      case "response.output_item.added":
        return isCall(at(data, "item")) ? addItem(answer, at(data, "item"), item) : answer;
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        return append(answer, { key: `tool ${item}`, kind: "tool", text: delta });
      case "error":
        return { ...answer, error: textAt(data, "error", "message") || textAt(data, "message") };
      default:
        return addResource(answer, at(data, "response"));
    }
  },
};

function isCall(item: unknown): boolean {
  return textAt(item, "type") === "function_call" || textAt(item, "type") === "custom_tool_call";
}

function addItem(answer: Answer, item: unknown, position: number): Answer {
  if (isCall(item)) {
    const text = textAt(item, "arguments") || textAt(item, "input");
    return append(answer, { key: `tool ${position}`, kind: "tool", name: textAt(item, "name"), text });
  }
  let added = answer;
  const parts = [...arrayAt(item, "summary"), ...arrayAt(item, "content")];
  for (const [part, content] of parts.entries()) {
    const type = textAt(content, "type");
    const kind = type === "output_text" ? "text" : type === "refusal" ? "refusal" : "thinking";
    const text = textAt(content, "text") || textAt(content, "refusal");
    if (text !== "") added = append(added, { key: `${kind} ${position} ${part}`, kind, text });
  }
  return added;
}

/** Adds the resource's own members: its id and how it ended. */
function addResource(answer: Answer, response: unknown): Answer {
  const status = textAt(response, "status");
  const hasEnded = status !== "" && status !== "in_progress" && status !== "queued";
  return {
    ...answer,
    id: answer.id || textAt(response, "id"),
    usage: readUsage(at(response, "usage")) ?? answer.usage,
    finish: hasEnded ? textAt(response, "incomplete_details", "reason") || status : answer.finish,
    error: textAt(response, "error", "message") || answer.error,
  };
}

function readUsage(usage: unknown): TokenUsage | undefined {
  const inputTokens = numberAt(usage, "input_tokens");
  if (inputTokens === undefined) return undefined;
  return {
    inputTokens,
    cachedTokens: numberAt(usage, "input_tokens_details", "cached_tokens") ?? 0,
    outputTokens: numberAt(usage, "output_tokens") ?? 0,
    reasoningTokens: numberAt(usage, "output_tokens_details", "reasoning_tokens") ?? 0,
  };
}
