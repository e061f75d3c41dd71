import { z } from "zod";
import { MAX_MODELS, QUOTA_FIELD_NAMES, QUOTA_FIELDS, type QuotaFieldName } from "../quotas/quota-fields.ts";
import { boolean, integer, keys, limit, modelName, warningShare } from "./fields.ts";

/** The schema of a quota that is there: limits, and the models that may be called. */
export function limits() {
  return keys(limitFields("no limit if absent", "all if absent"));
}

/** The fields of limits, each with what its absence means. */
export function limitFields(absent: string, absentModels: string) {
  const field = (name: QuotaFieldName) =>
    limit(QUOTA_FIELDS[name].unit).optional().describe(`Maximum ${QUOTA_FIELDS[name].label}; ${absent}`);
  type Fields = Readonly<Record<QuotaFieldName, ReturnType<typeof field>>>;
  return {
    ...(Object.fromEntries(QUOTA_FIELD_NAMES.map((name) => [name, field(name)])) as Fields),
    models: z
      .array(modelName(), { error: "must be a list of names of models" })
      .min(1, { error: "must have at least one model" })
      .max(MAX_MODELS, { error: `must have at most ${MAX_MODELS} models` })
      .optional()
      .describe(`Models that may be called; ${absentModels}`),
  };
}

/** The schema of a quota of the configuration. */
function quota(owner: string) {
  return limits().prefault({}).describe(`Limits for ${owner}`);
}

/** The limits of what people create, and of what calls take. */
export const quotas = keys({
  keysPerProject: integer(1, 1_000_000).default(200).describe("Working API keys of a project"),
  membersPerProject: integer(1, 1_000_000).default(500).describe("Members of a project, including invited ones"),
  projectsPerPerson: integer(1, 1_000_000).default(50).describe("Projects that one person may own"),
  accounts: integer(1, 10_000_000).default(10_000).describe("Accounts that may exist"),
  installation: quota("all calls together"),
  eachProject: quota("each project"),
  eachKey: quota("each API key"),
  eachEndUser: quota("each end user of a project"),
  reserve: z
    .enum(["usual", "bound"], { error: "must be usual or bound" })
    .default("usual")
    .describe(
      "Reserved for an answer before its length is known: usual: the workload's usual length; bound: the largest " +
        "possible one",
    ),
  whenDatabaseAway: z
    .enum(["serve", "refuse"], { error: "must be serve or refuse" })
    .default("serve")
    .describe("Serve or refuse limited calls while the database is unavailable and the leased amount is used up"),
  warnAt: warningShare().default(0.8).describe("Share of a limit at which people are warned: 0.8"),
  hideModels: boolean().default(false).describe("Answer 404 instead of 403 for models that a key may not call"),
});
