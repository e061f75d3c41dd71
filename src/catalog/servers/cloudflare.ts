import type { Server } from "../server.ts";

/** Cloudflare Workers AI. */
export const cloudflare = {
  at: ["api.cloudflare.com"],
  sources: [
    {
      at: "developers.cloudflare.com/workers-ai/platform/errors: codes of errors[]",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["errors"],
    },
    {
      at: "most of its models take the older name, and functions; its page of the OpenAI format says nothing of it",
      on: "2026-11-29",
      basis: "assumed",
      tells: ["limitMember", "toolKinds"],
    },
  ],
  facts: {
    limitMember: "max_tokens",
    toolKinds: "functions",
    errors: [
      { code: "3036", message: "allocation|neuron", means: "quota_exceeded" },
      { code: "3040", message: "capacity|data centers", means: "overloaded" },
      { code: "5007", message: "model", means: "model_not_found" },
      { code: "6003", message: "request headers", means: "unauthenticated" },
      { code: "7000", message: "route", means: "route_not_found" },
      { code: "7003", message: "route", means: "route_not_found" },
      { code: "10000", message: "authenticat", means: "unauthenticated" },
    ],
  },
} as const satisfies Server;
