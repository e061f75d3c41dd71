import { z } from "zod";
import type { QuotaSettings } from "../../quotas/quota.ts";
import { limitProblem, MAX_COUNT, MAX_MODELS, MAX_NANOS, type QuotaField } from "../../quotas/quota-fields.ts";

function limit(unit: QuotaField["unit"]) {
  const message = limitProblem(unit);
  return z
    .int(message)
    .min(0, message)
    .max(unit === "usd" ? MAX_NANOS : MAX_COUNT, message)
    .optional();
}

/** All limits of a quota, those in USD in nano-USD; absent ones limit nothing. */
export const quotaSettings = z
  .strictObject({
    requestsPerMinute: limit("count"),
    inputTokensPerMinute: limit("count"),
    outputTokensPerMinute: limit("count"),
    concurrentCalls: limit("count"),
    canceledCallsPerMinute: limit("count"),
    costNanosPerDay: limit("usd"),
    costNanosPerMonth: limit("usd"),
    costNanosTotal: limit("usd"),
    models: z
      .array(z.string("must be a name of a model"), "must be a list of names of models")
      .min(1, "must have at least one model")
      .max(MAX_MODELS, `must have at most ${MAX_MODELS} models`)
      .readonly()
      .optional(),
  })
  .transform((limits): QuotaSettings => {
    const present = Object.entries(limits).filter(([, value]) => value !== undefined);
    return Object.fromEntries(present);
  });
