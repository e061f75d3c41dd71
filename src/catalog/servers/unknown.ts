import type { Server } from "../server.ts";

/** A server that nothing is known of. */
export const unknown = {
  at: [],
  sources: [
    {
      at: "plain words for an answer that broke off",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["ends"],
    },
    {
      at: "words of a key, an account or a region that OpenAI, Groq, Cerebras, xAI, DeepSeek (nearai/ironclaw#1047), Fireworks and Together share in their references",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "words that several servers share: transformers 5.19, TensorZero 2026.6, Fastify and others, run",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
  ],
  facts: {
    ends: { aborted: "failed", canceled: "failed", cancelled: "failed", failed: "failed", timeout: "failed" },
    errors: [
      {
        message: "^(?:the )?model (?:service )?(?:is )?(?:currently )?(?:overloaded|too busy)\\b",
        means: "overloaded",
      },
      {
        message:
          "^(?:the )?(?:requested )?model\\b.{0,200}?\\b(?:not found|does not exist|not exist|has been (?:deprecated|removed|decommissioned))",
        means: "model_not_found",
      },
      { message: "^(?:unknown|invalid|no such) model(?: name)?\\b", means: "model_not_found" },
      { message: "^the requested model is not supported", means: "model_not_found" },
      { message: "^insufficient (?:account )?(?:balance|credits?|funds|quota)", means: "quota_exceeded" },
      { message: "^(?:invalid|incorrect|expired) (?:api[ -]?key|access token)\\b", means: "unauthenticated" },
      {
        message:
          "^(?:the |your |this )?(?:provided )?(?:api[ -]?(?:key|token)|access token)(?: you provided| provided)? (?:is |was |has )?(?:been |currently )?(?:not valid|not found|invalid|incorrect|expired|revoked|blocked|disabled|deactivated|suspended)",
        means: "unauthenticated",
      },
      { message: "^(?:wrong|missing|unknown) (?:api[ -]?key|access token)\\b", means: "unauthenticated" },
      { message: "^(?:authentication fail(?:s|ed)|authentication error|unauthorized)\\b", means: "unauthenticated" },
      {
        message:
          "^(?:the|your|this) (?:account|organization|project|team|workspace|subscription|access)(?: has| is| was)(?: been| currently)? (?:disabled|deactivated|terminated|blocked|restricted|inactive|locked)",
        means: "unauthenticated",
      },
      {
        message:
          "^(?:the )?(?:user |your )?(?:location|country|region)[^'\"`:]{0,60} (?:is )?not (?:supported|available)",
        means: "unauthenticated",
      },
      {
        message:
          "^(?:project |organization |account |monthly )?(?:credit|spend(?:ing)?|billing(?: hard)?) limit (?:exceeded|has been|reached)",
        means: "quota_exceeded",
      },
      { message: "^your (?:account |credit )?balance is (?:too low|insufficient|negative)", means: "quota_exceeded" },
      { message: "^payment required\\b", means: "quota_exceeded" },
      { message: "^model access denied", means: "model_not_found" },
      {
        message:
          "^(?:the )?model\\b[^'\"]{0,200}? is not (?:available|supported) (?:in|for) (?:your|this) (?:region|account|organization|country)",
        means: "model_not_found",
      },
      { message: "^prompt exceeds max length", means: "context_length" },
      { message: "^route not found", means: "route_not_found" },
    ],
  },
} as const satisfies Server;
