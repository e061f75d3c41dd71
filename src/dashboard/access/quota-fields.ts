import { z } from "zod";
import type { QuotaSettings } from "../../quotas/quota.ts";
import { limitProblem, QUOTA_FIELD_NAMES, QUOTA_FIELDS, type QuotaRule } from "../../quotas/quota-fields.ts";

const limits = Object.fromEntries(
  Object.values(QUOTA_FIELDS).map(({ rule, unit }) => [rule, z.int(limitProblem(unit)).optional()]),
) as Readonly<Record<QuotaRule, z.ZodOptional<z.ZodInt>>>;

/** All limits of a quota, those in USD in nano-USD; absent ones limit nothing. */
export const quotaSettings = z
  .strictObject({
    ...limits,
    models: z
      .array(z.string("must be a name of a model"), "must be a list of names of models")
      .min(1, "must have at least one model")
      .readonly()
      .optional(),
  })
  .transform((settings): QuotaSettings => {
    const present = Object.entries(settings).filter(([, value]) => value !== undefined);
    return Object.fromEntries(present);
  });

/** Returns the paths of limits in a form by those of an operation. */
export function limitFields(operation: string, form: string): Readonly<Record<string, string>> {
  const rules = QUOTA_FIELD_NAMES.map(
    (name) => [`${operation}.${name}`, `${form}.${QUOTA_FIELDS[name].rule}`] as const,
  );
  return { ...Object.fromEntries(rules), [operation]: form };
}
