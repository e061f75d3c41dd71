import { describe, expect, it } from "vitest";
import { overflowFacts, refineOverflow } from "../../../src/formats/shared/context-overflow.ts";
import { ErrorReason } from "../../../src/hub/error.ts";
import { growthOf, LINEAR } from "../../support/work-ratio.ts";

const { CONTEXT_LENGTH_EXCEEDED, INVALID_REQUEST, RATE_LIMITED, REQUEST_TOO_LARGE, UPSTREAM_ERROR } = ErrorReason;

/** What servers say, and how many tokens there are and may be in their words. */
const WORDS: [server: string, message: string, tokens?: number, maximum?: number][] = [
  ["Anthropic", "prompt is too long: 210000 tokens > 200000 maximum", 210000, 200000],
  [
    "Anthropic, with the answer",
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again",
    210000,
    200000,
  ],
  [
    "SGLang",
    "Input length (5000 tokens) exceeds the maximum allowed length (4096 tokens). Use a shorter input or enable --allow-auto-truncate.",
    5000,
    4096,
  ],
  [
    "OpenVINO Model Server",
    "Mediapipe execution failed. MP status - INVALID_ARGUMENT: CalculatorGraph::Run() failed: Number of prompt tokens: 5000 exceeds model max length: 4096",
    5000,
    4096,
  ],
  ["watsonx", "the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model", 5000, 4096],
  [
    "Titan's embeddings at Bedrock",
    "Too many input tokens. Max input tokens: 8192, request input token count: 9105 ",
    9105,
    8192,
  ],
  ["Anthropic's model elsewhere", "Input is too long for requested model."],
  ["Anthropic's model elsewhere", "Prompt is too long"],
  [
    "OpenAI",
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens. Please reduce the length of the messages.",
    130001,
    128000,
  ],
  [
    "OpenAI, with tools",
    "This model's maximum context length is 4097 tokens. However, your messages resulted in 5000 tokens (4000 in the messages, 1000 in the functions). Please reduce the length of the messages or functions.",
    5000,
    4097,
  ],
  [
    "OpenAI, of a limit",
    "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 273000 tokens. Please reduce the length of the messages.",
    273000,
    272000,
  ],
  [
    "OpenAI's Responses",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  ],
  [
    "vLLM",
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4500 in the messages, 500 in the completion). Please reduce the length of the messages or completion.",
    5000,
    4096,
  ],
  [
    "vLLM, later",
    "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens. Please reduce the length of the input messages.",
    5000,
    4096,
  ],
  [
    "vLLM, of the answer",
    "'max_tokens' or 'max_completion_tokens' is too large: 4000. This model's maximum context length is 4096 tokens and your request has 100 input tokens (4000 > 4096 - 100).",
    4100,
    4096,
  ],
  [
    "vLLM, of both",
    "You passed 4000 input tokens and requested 100 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 3996 tokens.",
    4100,
    4096,
  ],
  [
    "vLLM, in total",
    "This model's maximum context length is 4096 tokens. However, you requested 100 output tokens and your prompt contains at least 3997 input tokens, for a total of at least 4097 tokens.",
    4097,
    4096,
  ],
  [
    "vLLM 0.32, which counts no further than its window",
    "This model's maximum context length is 2048 tokens. However, your prompt contains at least 2049 input tokens, which exceeds this limit even without any output tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=2049)",
    2049,
    2048,
  ],
  [
    "vLLM's engine",
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.",
    5000,
    4096,
  ],
  [
    "llama.cpp",
    "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
    5000,
    4096,
  ],
  ["llama.cpp, earlier", "the request exceeds the available context size. try increasing the context size"],
  ["Ollama", "the input length exceeds the context length"],
  [
    "Volcengine",
    "The parameter `messages` is not valid: input length 5000 exceeds the maximum length 4096.",
    5000,
    4096,
  ],
  ["TabbyAPI", "Prompt length 5000 is greater than max_seq_len 4096", 5000, 4096],
  ["TensorRT-LLM", "Prompt length (5000) exceeds maximum input length (4096).", 5000, 4096],
  ["SGLang", "The input (5000 tokens) is longer than the model's context length (4096 tokens).", 5000, 4096],
  [
    "SGLang, with the answer",
    "Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 140000 tokens: 130000 tokens from the input messages and 10000 tokens for the completion.",
    140000,
    131072,
  ],
  [
    "Mistral",
    "Prompt contains 40,000 tokens and 0 draft tokens, too large for model with 32,768 maximum context length",
    40000,
    32768,
  ],
  ["LM Studio", "Cannot truncate prompt with n_keep (5000) >= n_ctx (4096)"],
  [
    "Titan at Bedrock",
    "Malformed input request: expected maxLength: 400000, actual: 500000, please reformat your input.",
  ],
  [
    "TensorRT-LLM, of the sum",
    "The sum of prompt length (5000.0), query length (0) max_tokens (100) should not exceed max_num_tokens (4096)",
    5000,
    4096,
  ],
  ["a gateway", "Your prompt is too large"],
  ["another gateway", "Conversation is too long"],
  ["GLM's others", "上下文长度超出模型限制"],
  ["xAI", "This model's maximum prompt length is 131072 but the request contains 140000 tokens.", 140000, 131072],
  [
    "Gemini",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    1200000,
    1048576,
  ],
];

describe("refineOverflow()", () => {
  it.each(WORDS)("knows the words of %s: %s", (_server, message) => {
    for (const reason of [INVALID_REQUEST, REQUEST_TOO_LARGE, UPSTREAM_ERROR]) {
      expect(refineOverflow(reason, message)).toBe(CONTEXT_LENGTH_EXCEEDED);
    }
    expect(refineOverflow(RATE_LIMITED, message)).toBe(RATE_LIMITED);
  });

  it.each([
    "context: unknown member",
    "messages.0.content: text content blocks must be non-empty",
    "max_tokens: 300000 > 128000, which is the maximum allowed number of output tokens for this model",
    "Invalid 'metadata.k': string too long. Expected a string with maximum length 512, but got a string with length 600 instead.",
    "the request exceeds the maximum size",
  ])("leaves other words alone: %s", (message) => {
    expect(refineOverflow(INVALID_REQUEST, message)).toBe(INVALID_REQUEST);
  });
});

describe("overflowFacts()", () => {
  it.each(WORDS)("reads the counts of %s: %s", (_server, message, promptTokens, maxPromptTokens) => {
    expect(overflowFacts(CONTEXT_LENGTH_EXCEEDED, message)).toEqual({ promptTokens, maxPromptTokens });
  });

  it("says nothing of other failures, nor counts that are none", () => {
    expect(overflowFacts(INVALID_REQUEST, "prompt is too long: 5 tokens > 4 maximum")).toEqual({});
    const huge = "prompt is too long: 99999999999 tokens > 0 maximum";
    expect(overflowFacts(CONTEXT_LENGTH_EXCEEDED, huge)).toEqual({});
  });

  it.each(["exceeds context ", "context size ", "too large: 1.", "1,111", "1", "requested a total of "])(
    "takes no more than linear time for words made to take it: '%s'",
    async (part) => {
      const read = (times: number) => {
        refineOverflow(INVALID_REQUEST, part.repeat(times));
        overflowFacts(CONTEXT_LENGTH_EXCEEDED, part.repeat(times));
      };
      expect(await growthOf(read, 4000)).toBeLessThanOrEqual(LINEAR);
    },
  );
});
