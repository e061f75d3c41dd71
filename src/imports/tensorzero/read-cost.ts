import type { TokenKind } from "../../catalog/prices.ts";
import type { ImportNote } from "../import-error.ts";
import type { SettingsView } from "../settings-view.ts";

/** Tokens by the ends of their pointers into a provider's answer; the first that fits is used. */
const TOKENS: readonly (readonly [RegExp, Counted, Whole?])[] = [
  [/\/(?:prompt|input)_tokens_details\/cached_tokens$/, "cacheRead", "input"],
  [/\/(?:prompt|input)_tokens_details\/(?:cache_write|cache_creation)_tokens$/, "cacheWrite5m", "input"],
  [/\/cache_write_tokens_details\/ttl_12h_tokens$/, "cacheWrite12h", "input"],
  [/\/(?:prompt|input)_tokens_details\/audio_tokens$/, "audioInput", "input"],
  [/\/(?:prompt|input)_tokens_details\/image_tokens$/, "imageInput", "input"],
  [/\/(?:completion|output)_tokens_details\/reasoning_tokens$/, "reasoning", "output"],
  [/\/(?:completion|output)_tokens_details\/audio_tokens$/, "audioOutput", "output"],
  [/\/(?:completion|output)_tokens_details\/image_tokens$/, "imageOutput", "output"],
  [/\/usage\/prompt_cache_hit_tokens$/, "cacheRead", "input"],
  [/\/usage\/(?:prompt|input)_tokens$/, "input"],
  [/\/usage\/(?:completion|output)_tokens$/, "output"],
  [/\/usage\/cache_read_input_tokens$/, "cacheRead"],
  [/\/cache_creation\/ephemeral_1h_input_tokens$/, "cacheWrite1h", "writes"],
  [/\/cache_creation\/ephemeral_5m_input_tokens$/, "cacheWrite5m", "writes"],
  [/\/usage\/cache_creation_input_tokens$/, "writes"],
  // Bedrock's, and Google's, whose answer is counted without its thoughts.
  [/\/usage\/inputTokens$/, "input"],
  [/\/usage\/outputTokens$/, "output"],
  [/\/usage\/cacheReadInputTokens(?:Count)?$/, "cacheRead"],
  [/\/usage\/cacheWriteInputTokens(?:Count)?$/, "writes"],
  [/\/usageMetadata\/promptTokenCount$/, "input"],
  [/\/usageMetadata\/cachedContentTokenCount$/, "cacheRead", "input"],
  [/\/usageMetadata\/candidatesTokenCount$/, "output"],
  [/\/usageMetadata\/thoughtsTokenCount$/, "reasoning"],
];

/** The kind whose count the provider has these tokens in: a rate is then what is added or taken off. */
type Whole = "input" | "output" | "writes";

/** Tokens that a provider counts: `writes` are those of all lifetimes. */
type Counted = TokenKind | "writes";

type Rates = ReadonlyMap<Counted, { readonly usd: number; readonly whole: Whole | undefined }>;

const TOOL = /\/server_tool_use\/(\w+)_requests$/;

interface CostOptions {
  readonly isEmbedding: boolean;
  readonly notes: ImportNote[];
}

/**
 * Reads prices by the pointers that they stand beside; what has none costs nothing, as in TensorZero. Notes what has no
 * counterpart.
 */
export function readCost(view: SettingsView, { isEmbedding, notes }: CostOptions): object | undefined {
  const rates = new Map<Counted, { readonly usd: number; readonly whole: Whole | undefined }>();
  const toolCalls: Record<string, number> = {};
  for (const entry of view.maps("cost")) {
    const pointer = entry.text("pointer") ?? entry.text("pointer_nonstreaming") ?? "";
    const [perMillion, perUnit] = [entry.number("cost_per_million"), entry.number("cost_per_unit")];
    entry.text("pointer_streaming");
    entry.take("required");
    const tool = TOOL.exec(pointer)?.[1];
    const found = TOKENS.find(([pattern]) => pattern.test(pointer));
    const usd = perMillion ?? (perUnit === undefined ? undefined : perUnit * 1e6);
    if (usd === undefined) notes.push({ path: entry.path, text: "has no rate that can be carried over" });
    else if (found !== undefined) rates.set(found[1], { usd, whole: found[2] });
    else if (tool !== undefined) toolCalls[tool] = usd / 1e6;
    else notes.push({ path: entry.path, text: `the price of '${pointer}' has no counterpart` });
  }
  return toPrice(rates, toolCalls, isEmbedding);
}

function toPrice(rates: Rates, toolCalls: Readonly<Record<string, number>>, isEmbedding: boolean): object | undefined {
  if (rates.size === 0 && Object.keys(toolCalls).length === 0) return undefined;
  const plain = (kind: Whole): number => Math.max(0, rates.get(kind)?.usd ?? 0);
  const whole = { input: plain("input"), output: isEmbedding ? 0 : plain("output"), writes: plain("writes") };
  const lifetimes = rates.has("writes") ? { cacheWrite5m: rounded(whole.writes) } : {};
  const oneHour = rates.has("cacheWrite5m") && rates.has("writes") ? { cacheWrite1h: rounded(whole.writes) } : {};
  const others = [...rates].flatMap(([kind, { usd, whole: holder }]) => {
    if (Object.hasOwn(whole, kind)) return [];
    return [[kind, rounded(Math.max(0, usd + (holder === undefined ? 0 : whole[holder])))] as const];
  });
  return {
    input: rounded(whole.input),
    output: rounded(whole.output),
    ...lifetimes,
    ...oneHour,
    ...Object.fromEntries(others),
    ...(Object.keys(toolCalls).length > 0 && { toolCalls }),
  };
}

/** Without the noise of binary fractions. */
function rounded(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}
