import { ErrorReason, type InferenceErrorFacts } from "../../hub/error.ts";

/**
 * The messages by which servers without a code for it refuse a long prompt: OpenAI and Anthropic, vLLM, llama.cpp, and
 * others.
 */
const OVERFLOW: readonly RegExp[] = [
  /(?:prompt|input) is too long/i,
  /maximum (?:context|prompt) length/i,
  /exceeds?(?: the)? (?:available )?context (?:window|size|length|limit)/i,
  /context (?:window|size|length|limit)[^.]{0,80}exceed/i,
  /exceeds?[^.]{0,80}context (?:window|size|length|limit)/i,
  /(?:input|prompt) length \(?\d+(?: tokens)?\)? (?:exceeds|is greater than|is longer than)/i,
  /prompt tokens:? \d+ exceeds? (?:the )?(?:model )?max(?:imum)? length/i,
  /longer than the (?:maximum model length|model's context length)/i,
  /model's context length is only/i,
  /tokens? (?:\d+ )?cannot exceed the (?:total )?tokens? limit/i,
  // LM Studio, TabbyAPI, LMDeploy, TensorRT-LLM, Titan at Bedrock, and gateways in words of their own.
  /n_keep \(?\d+\)? >= n_ctx/i,
  /(?:context|prompt|token) length[^.]{0,60} (?:greater than|exceeds?|not exceed) (?:the )?(?:max_seq_len|session_len|max_num_tokens)/i,
  /sum of prompt length[^.]{0,20}[^,]{0,20},[^,]{0,60}should not exceed max_num_tokens/i,
  /expected maxLength: \d+, actual: \d+/i,
  /^too many input tokens\. max/i,
  /exceeds?(?: the)? model(?:'s)? max(?:imum)? context/i,
  /^total (?:number of )?tokens\b[^.]{0,40} exceeds? the model's limit/i,
  /^the total number of tokens exceeds the model/i,
  /^(?:input |prompt )?token limit exceeded/i,
  /^(?:your |the )?(?:prompt|input|message|conversation)(?: you submitted)? (?:is|was) too (?:long|large)\b/i,
  /^(?:input|prompt|message) too long\b/i,
  /^(?:the |your )?(?:prompt|input) is longer than the model/i,
  /^(?:tokens in request more than|exceeded) max(?:imum)? (?:input )?tokens/i,
  /^request exceeds the maximum size of \d+ tokens/i,
  /^max tokens of \d+ exceeded/i,
  /^context_(?:length|window)_exceeded/i,
  /^上下文长度超/,
  /input tokens? (?:count[^.]{0,40}exceeds the maximum|exceed the configured limit)/i,
];

/** The prompt's tokens in such a message; several numbers are added up. */
const TOKENS: readonly RegExp[] = [
  /too long: (\d+) tokens/i,
  /exceed context limit: (\d+) \+ (\d+)/i,
  /too large: (\d+)\..{0,120}request has (\d+) input tokens/i,
  /passed (\d+) input tokens and requested (\d+) output tokens/i,
  /resulted in (\d+) tokens/i,
  /total of (?:at least )?(\d+) tokens/i,
  /requested (?:about )?(\d+) tokens/i,
  /(?:has|contains) (?:at least )?(\d+) (?:input )?tokens/i,
  /\(length (\d+)\)/i,
  /(?:input|prompt) length \(?(\d+)/i,
  /(?:request|input|token count) \((\d+)/i,
  /input tokens (\d+) cannot/i,
  /prompt tokens: (\d+) exceeds/i,
  /request input token count: (\d+)/i,
];

/** The model's limit in such a message. */
const MAXIMUM: readonly RegExp[] = [
  /> (\d+) maximum/i,
  /exceed context limit: \d+ \+ \d+ > (\d+)/i,
  /maximum (?:allowed )?(?:token |input )?length \(?(\d+)/i,
  /max_(?:seq_len|num_tokens) \(?(\d+)/i,
  /(?:context|prompt|model) length (?:is |of |is only )?\(?(\d+)/i,
  /(?<!\d)(\d+) maximum context length/i,
  /context size \((\d+)/i,
  /configured limit of (\d+)/i,
  /tokens allowed \((\d+)/i,
  /tokens? limit (\d+)/i,
  /max length: (\d+)/i,
  /max input tokens: (\d+)/i,
];

/** Reasons that leave open whether a prompt that is too long was the cause. */
const OPEN: ReadonlySet<ErrorReason> = new Set([
  ErrorReason.INVALID_REQUEST,
  ErrorReason.REQUEST_TOO_LARGE,
  ErrorReason.UPSTREAM_ERROR,
]);

/** Characters of a message that are looked at: what is longer is no sentence on the length of a prompt. */
const LOOKED_AT = 10_000;

/** Returns CONTEXT_LENGTH_EXCEEDED where the upstream's words say so, and `reason` otherwise. */
export function refineOverflow(reason: ErrorReason, message: string): ErrorReason {
  if (!OPEN.has(reason)) return reason;
  const looked = message.slice(0, LOOKED_AT);
  return OVERFLOW.some((pattern) => pattern.test(looked)) ? ErrorReason.CONTEXT_LENGTH_EXCEEDED : reason;
}

/** Reads from the upstream's words how long the prompt was and may be, in tokens; nothing for other reasons. */
export function overflowFacts(
  reason: ErrorReason,
  message: string,
): Pick<InferenceErrorFacts, "promptTokens" | "maxPromptTokens"> {
  if (reason !== ErrorReason.CONTEXT_LENGTH_EXCEEDED) return {};
  // Some write 200,000.
  const plain = message.slice(0, LOOKED_AT).replace(/(?<=\d),(?=\d{3})/g, "");
  return { promptTokens: readSum(plain, TOKENS), maxPromptTokens: readSum(plain, MAXIMUM) };
}

function readSum(message: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(message);
    if (found !== null) return toTokens(found.slice(1).reduce((total, digits) => total + Number(digits), 0));
  }
  return undefined;
}

function toTokens(count: number): number | undefined {
  return Number.isSafeInteger(count) && count > 0 && count <= 2147483647 ? count : undefined;
}
