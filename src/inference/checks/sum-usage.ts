import { create } from "@bufbuild/protobuf";
import { type Usage, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";

/** Adds tokens up. Members that only one dialect knows are left out: nobody knows what their sum is. */
export function sumUsage(usages: readonly Usage[]): Usage {
  const sum = (of: (usage: Usage) => number): number => usages.reduce((total, usage) => total + of(usage), 0);
  const isReasoningKnown = usages.every(({ reasoningTokens }) => reasoningTokens !== undefined);
  return create(UsageSchema, {
    inputTokens: sum((usage) => usage.inputTokens),
    cacheReadTokens: sum((usage) => usage.cacheReadTokens),
    cacheWriteTokens: sum((usage) => usage.cacheWriteTokens),
    cacheWrite5mTokens: sum((usage) => usage.cacheWrite5mTokens),
    cacheWrite1hTokens: sum((usage) => usage.cacheWrite1hTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    ...(isReasoningKnown && { reasoningTokens: sum((usage) => usage.reasoningTokens ?? 0) }),
    estimated: usages.some(({ estimated }) => estimated),
  });
}
