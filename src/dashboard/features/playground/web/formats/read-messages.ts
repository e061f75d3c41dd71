import { type Answer, type AnswerReader, append, NO_ANSWER, type TokenUsage } from "./answer.ts";
import { arrayAt, at, numberAt, textAt } from "./json.ts";

/** Reads Messages. */
export const readMessages: AnswerReader = {
  whole(body) {
    let answer: Answer = { ...NO_ANSWER, id: textAt(body, "id"), finish: textAt(body, "stop_reason") };
    for (const [position, block] of arrayAt(body, "content").entries()) {
      const started = startBlock(answer, block, position);
      const input = at(block, "input");
      answer =
        input === undefined
          ? started
          : append(started, { key: `tool ${position}`, kind: "tool", text: JSON.stringify(input) });
    }
    return { ...answer, usage: readUsage(at(body, "usage"), undefined) };
  },
  event(answer, data) {
    const position = numberAt(data, "index") ?? 0;
    switch (textAt(data, "type")) {
      case "message_start":
        return {
          ...answer,
          id: textAt(data, "message", "id"),
          usage: readUsage(at(data, "message", "usage"), undefined),
        };
      case "content_block_start":
        return startBlock(answer, at(data, "content_block"), position);
      case "content_block_delta":
        return addDelta(answer, at(data, "delta"), position);
      case "message_delta":
        return {
          ...answer,
          finish: textAt(data, "delta", "stop_reason") || answer.finish,
          usage: readUsage(at(data, "usage"), answer.usage),
        };
      case "error":
        return { ...answer, error: textAt(data, "error", "message") };
      default:
        return answer;
    }
  },
};

/** A tool's input comes in the deltas of a stream; what stands in its start is empty. */
function startBlock(answer: Answer, block: unknown, position: number): Answer {
  switch (textAt(block, "type")) {
    case "text":
      return append(answer, { key: `text ${position}`, kind: "text", text: textAt(block, "text") });
    case "thinking":
      return append(answer, { key: `thinking ${position}`, kind: "thinking", text: textAt(block, "thinking") });
    case "redacted_thinking":
      return append(answer, { key: `thinking ${position}`, kind: "thinking", text: "(redacted by the provider)" });
    case "tool_use":
      return append(answer, { key: `tool ${position}`, kind: "tool", name: textAt(block, "name"), text: "" });
    default:
      return answer;
  }
}

function addDelta(answer: Answer, delta: unknown, position: number): Answer {
  switch (textAt(delta, "type")) {
    case "text_delta":
      return append(answer, { key: `text ${position}`, kind: "text", text: textAt(delta, "text") });
    case "thinking_delta":
      return append(answer, { key: `thinking ${position}`, kind: "thinking", text: textAt(delta, "thinking") });
    case "input_json_delta":
      return append(answer, { key: `tool ${position}`, kind: "tool", text: textAt(delta, "partial_json") });
    default:
      return answer;
  }
}

/** Here the prompt is counted in three parts, and the end of a stream may leave out what its start said. */
function readUsage(usage: unknown, before: TokenUsage | undefined): TokenUsage | undefined {
  const outputTokens = numberAt(usage, "output_tokens");
  if (outputTokens === undefined) return before;
  const uncached = numberAt(usage, "input_tokens");
  const cachedTokens = numberAt(usage, "cache_read_input_tokens") ?? before?.cachedTokens ?? 0;
  const written = numberAt(usage, "cache_creation_input_tokens") ?? 0;
  return {
    inputTokens: uncached === undefined ? (before?.inputTokens ?? 0) : uncached + cachedTokens + written,
    cachedTokens,
    outputTokens,
    reasoningTokens: numberAt(usage, "output_tokens_details", "thinking_tokens") ?? 0,
  };
}
