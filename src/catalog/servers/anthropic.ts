import type { Server } from "../server.ts";

/** Anthropic's API, which the Messages format comes from. */
export const anthropic = {
  at: ["api.anthropic.com"],
  sources: [
    {
      at: "anthropics/claude-code#45048, earendil-works/pi#2943: 400 of a subscription's extra usage",
      on: "2026-11-29",
      basis: "reported",
      tells: ["errors"],
    },
    {
      at: "docs.claude.com/en/api/errors; anthropics/claude-code#5088, #6186: the words of a 400 for a disabled organization, spent credits and limits of spending",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
  ],
  facts: {
    errors: [
      { message: "^Your credit balance is too low", means: "quota_exceeded" },
      { message: "^You have reached your specified (?:workspace )?API usage limits", means: "quota_exceeded" },
      { message: "^This organization has been disabled", means: "unauthenticated" },
      { message: "^This credential is only authorized for use with", means: "unauthenticated" },
      { message: "^(?:Third-party apps now draw from|You're out of) (?:your )?extra usage", means: "quota_exceeded" },
    ],
  },
} as const satisfies Server;
