import type { KnownModel } from "./known-model.ts";
import { buildPrice } from "./written-price.ts";

/** Tiers that cost what OpenAI's always do, by its price list. `fast` is the newer name of `priority`. */
const OPENAI_TIERS = {
  priority: { multiple: 2 },
  fast: { multiple: 2 },
  flex: { multiple: 0.5 },
  batch: { multiple: 0.5 },
} as const;

/** Steps of Anthropic's prices: batches, the region, web searches; its other tools cost no more than tokens. */
const ANTHROPIC = {
  tiers: { batch: { multiple: 0.5 } },
  regions: { us: 1.1 },
  toolCalls: { web_search: 0.01, web_fetch: 0 },
} as const;

/**
 * The models that are offered without a configuration. Names: `ChatModel` of the openai package 7.55.0 and `Model` of
 * @anthropic-ai/sdk 1.11.0. Prices, windows and dates as published until 2026-11-21; a configuration may say otherwise.
 */
export const BUILT_IN_MODELS: readonly KnownModel[] = [
  {
    // The SDK's own example of a general model. Sources: litellm discussion 39633 (prices, long prompts), Vercel AI
    // Gateway (limits), OpenAI prompt caching guide (minimum); LiteLLM 1.110.2 (prompt limit, tiers, 12-hour writes).
    name: "gpt-6-astra",
    displayName: "GPT-6 Astra",
    family: "responses",
    purpose: "Flagship for complex reasoning, coding, research and documents",
    contextWindow: 1_050_000,
    maxInputTokens: 922_000,
    maxOutputTokens: 128_000,
    minCacheableTokens: 1024,
    price: {
      input: 10,
      output: 50,
      cacheRead: 1,
      cacheWrite5m: 12.5,
      cacheWrite12h: 25,
      longPrompt: { aboveTokens: 272_000, input: 20, output: 75, cacheRead: 2, cacheWrite5m: 25, cacheWrite12h: 50 },
      tiers: { ...OPENAI_TIERS, ultrafast: { multiple: 6 } },
      regions: { us: 1.1, eu: 1.1 },
      toolCalls: { web_search: 0.01 },
    },
    createdAt: new Date("2026-09-03T00:00:00Z"),
  },
  {
    // Sources: docs.laozhang.ai on the release of 2026-11-09 and rightsize 0.10.2 (prices). The limits and the minimum
    // are those of Claude Fable 5.1, its documented sibling.
    name: "claude-fable-5-2",
    displayName: "Claude Fable 5.2",
    family: "messages",
    purpose: "Maximum capability: demanding reasoning and long-horizon agentic work",
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    minCacheableTokens: 512,
    price: { input: 8, output: 40, cacheRead: 0.2, cacheWrite5m: 10, cacheWrite1h: 16, ...ANTHROPIC },
    createdAt: new Date("2026-11-09T00:00:00Z"),
  },
  {
    // Sources: platform.claude.com/docs models/sonnet-5-5/overview; claudit 1.9.2 (cache reads since 2026-10-07). The
    // minimum is that of Claude Sonnet 5, its documented sibling.
    name: "claude-sonnet-5-5",
    displayName: "Claude Sonnet 5.5",
    family: "messages",
    purpose: "Balanced: the best combination of speed and intelligence",
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    minCacheableTokens: 1024,
    price: { input: 2, output: 10, cacheRead: 0.1, cacheWrite5m: 2.5, cacheWrite1h: 4, ...ANTHROPIC },
    createdAt: new Date("2026-09-28T00:00:00Z"),
  },
  {
    // Source: platform.claude.com/docs models/haiku-5-5/overview. The minimum is that of Claude Haiku 4.5, its
    // documented sibling.
    name: "claude-haiku-5-5",
    displayName: "Claude Haiku 5.5",
    family: "messages",
    purpose: "Lowest latency and cost: high-volume classification, extraction and routing",
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    minCacheableTokens: 4096,
    price: {
      input: 0.1,
      output: 0.5,
      cacheRead: 0.01,
      cacheWrite5m: 0.125,
      cacheWrite1h: 0.2,
      longPrompt: {
        aboveTokens: 100_000,
        input: 0.5,
        output: 2.5,
        cacheRead: 0.05,
        cacheWrite5m: 0.625,
        cacheWrite1h: 1,
      },
      ...ANTHROPIC,
    },
    createdAt: new Date("2026-10-07T00:00:00Z"),
  },
];

/** The price of a model that only sandboxes serve, where its configuration has none: that of a middle-sized model. */
export const SANDBOX_PRICE = buildPrice({ input: 2, output: 10, cacheRead: 0.2, cacheWrite5m: 2.5, cacheWrite1h: 4 });
