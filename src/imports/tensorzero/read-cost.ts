import type { TokenKind } from "../../catalog/prices.ts";
import type { ImportNote } from "../imported.ts";
import type { SettingsView } from "../settings-view.ts";

/** Tokens by the ends of their pointers into a provider's answer; the first that fits is used. */
const TOKENS: readonly (readonly [RegExp, TokenKind, Whole?])[] = [
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
  [/\/cache_creation\/ephemeral_1h_input_tokens$/, "cacheWrite1h"],
  [/\/cache_creation\/ephemeral_5m_input_tokens$/, "cacheWrite5m"],
  [/\/usage\/cache_creation_input_tokens$/, "cacheWrite5m"],
];

/** The kind whose count the provider has these tokens in: a rate is then what is added or taken off. */
type Whole = "input" | "output";

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
  const rates = new Map<TokenKind, { readonly usd: number; readonly whole: Whole | undefined }>();
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

function toPrice(
  rates: ReadonlyMap<TokenKind, { readonly usd: number; readonly whole: Whole | undefined }>,
  toolCalls: Readonly<Record<string, number>>,
  isEmbedding: boolean,
): object | undefined {
  if (rates.size === 0 && Object.keys(toolCalls).length === 0) return undefined;
  const plain = (kind: Whole): number => Math.max(0, rates.get(kind)?.usd ?? 0);
  const price = { input: plain("input"), output: isEmbedding ? 0 : plain("output") };
  const others = [...rates].flatMap(([kind, { usd, whole }]) => {
    if (kind === "input" || kind === "output") return [];
    return [[kind, rounded(Math.max(0, usd + (whole === undefined ? 0 : price[whole])))] as const];
  });
  return {
    input: rounded(price.input),
    output: rounded(price.output),
    ...Object.fromEntries(others),
    ...(Object.keys(toolCalls).length > 0 && { toolCalls }),
  };
}

/** Without the noise of binary fractions. */
function rounded(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}
