import type { UpstreamTarget } from "../../../../src/hub/upstream.ts";

const deployment = { upstream: "anthropic", model: "claude-x" };

/** Where the requests of these tests go. */
export const target: UpstreamTarget = {
  model: {
    name: "m",
    displayName: "M",
    family: "messages",
    purpose: "",
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    minCacheableTokens: 1024,
    createdAt: new Date(0),
    deployments: [deployment],
  },
  deployment,
  streamed: true,
  inferenceId: "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
  projectId: "p",
};
