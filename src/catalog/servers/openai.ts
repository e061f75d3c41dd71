import { GPT_OSS, type ModelThinking } from "../facts.ts";
import type { Server } from "../server.ts";

/** The thinking of OpenAI's models up to gpt-5.4; what is newer takes what callers ask for. */
export const GPT_THINKING = [
  GPT_OSS,
  { models: "(?:^|[/:])(?:gpt-(?:3\\.5|4)|chatgpt-4o|davinci|babbage|gpt-5-chat|o1-(?:mini|preview))", thinks: false },
  { models: "(?:^|[/:])gpt-5\\.[12]-chat", efforts: ["medium"] },
  { models: "(?:^|[/:])o[134](?:-|$)", efforts: ["low", "medium", "high"] },
  { models: "(?:^|[/:])gpt-5-pro", efforts: ["high"] },
  { models: "(?:^|[/:])gpt-5(?:\\.1)?-codex(?!-max)", efforts: ["low", "medium", "high"] },
  { models: "(?:^|[/:])gpt-5(?:-mini|-nano)?(?:-\\d|$)", efforts: ["minimal", "low", "medium", "high"] },
  { models: "(?:^|[/:])gpt-5\\.1(?:-\\d|$)", efforts: ["none", "low", "medium", "high"] },
  { models: "(?:^|[/:])gpt-5\\.[24]-pro", efforts: ["medium", "high", "xhigh"] },
  { models: "(?:^|[/:])gpt-5\\.[24](?:-mini|-nano)?(?:-\\d|$)", efforts: ["none", "low", "medium", "high", "xhigh"] },
] as const satisfies readonly ModelThinking[];

/** OpenAI's API. */
export const openai = {
  at: ["api.openai.com"],
  below: "/v1",
  sources: [
    {
      at: "platform.openai.com/docs/guides/reasoning and the pages of the models: efforts of each",
      on: "2026-11-30",
      basis: "assumed",
      tells: ["modelThinking"],
    },
    {
      at: "lksnext-ai-lab/ai-core-tools#190, mindconnect-ai/mindconnect#112: from gpt-5.6 on, Chat takes no tools beside thinking",
      on: "2026-11-29",
      basis: "reported",
      tells: ["errors"],
    },
    {
      at: "openai/resources/chat/completions of the SDK",
      on: "2026-11-27",
      basis: "read",
      tells: ["instructionRole", "limitMember", "reasoningHistory", "n", "cacheBreakpoints", "cacheKeys", "toolKinds"],
    },
    {
      at: "platform.openai.com/docs/guides/error-codes, and the message of models that need a verified organization",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "developers.openai.com/api/docs/guides/flex-processing: Responses and Chat, 429 where there is no room",
      on: "2026-12-01",
      basis: "read",
      tells: ["flexTier"],
    },
  ],
  facts: {
    flexTier: true,
    modelThinking: GPT_THINKING,
    instructionRole: "as-called",
    limitMember: "max_completion_tokens",
    reasoningHistory: "refused",
    n: 128,
    cacheBreakpoints: true,
    cacheKeys: true,
    toolKinds: "custom",
    errors: [
      { message: "^Your organization must be verified to", means: "unauthenticated" },
      { code: "unsupported_country_region_territory", means: "unauthenticated" },
      { code: "account_deactivated", means: "unauthenticated" },
      { code: "invalid_organization", means: "unauthenticated" },
      { code: "mismatched_organization", means: "unauthenticated" },
      { code: "mismatched_project", means: "unauthenticated" },
      { message: "^You must be a member of an organization to use the API", means: "unauthenticated" },
      { message: "^This is not a chat model\\b", means: "route_not_found" },
      { message: "^This model is only supported in v1/", means: "route_not_found" },
      { message: "^Function tools with reasoning_effort are not supported", means: "route_not_found" },
    ],
  },
} as const satisfies Server;
