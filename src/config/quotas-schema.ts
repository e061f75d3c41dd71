import { z } from "zod";
import { MAX_MODELS, QUOTA_FIELD_NAMES, QUOTA_FIELDS, type QuotaFieldName } from "../quotas/quota-fields.ts";
import { boolean, integer, keys, limit, modelName, warningShare } from "./fields.ts";

/** The schema of a quota that is there: limits, and the models that may be called. */
export function limits() {
  return keys(limitFields("no limit if absent", "all of them if absent"));
}

/** The fields of limits, each with what its absence means. */
export function limitFields(absent: string, absentModels: string) {
  const field = (name: QuotaFieldName) =>
    limit(QUOTA_FIELDS[name].unit).optional().describe(`Most ${QUOTA_FIELDS[name].label}; ${absent}`);
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
  return limits().prefault({}).describe(`Most that calls may take ${owner}`);
}

/** The limits of what people create, and of what calls take. */
export const quotas = keys({
  keysPerProject: integer(1, 1_000_000).default(200).describe("API keys of a project that work"),
  membersPerProject: integer(1, 1_000_000).default(500).describe("Members of a project, with those who are invited"),
  projectsPerPerson: integer(1, 1_000_000).default(50).describe("Projects that one person owns"),
  accounts: integer(1, 10_000_000).default(10_000).describe("People who may sign in"),
  installation: quota("in all"),
  eachProject: quota("in each project"),
  eachKey: quota("with each API key"),
  eachEndUser: quota("for each end user of a project"),
  reserve: z
    .enum(["usual", "bound"], { error: "must be usual or bound" })
    .default("usual")
    .describe(
      "What is reserved for an answer before it is known: what this workload's answers usually take, or the most " +
        "that the call may take",
    ),
  whenDatabaseAway: z
    .enum(["serve", "refuse"], { error: "must be serve or refuse" })
    .default("serve")
    .describe("What becomes of limited calls while the database is away and nothing is left of what was leased"),
  warnAt: warningShare().default(0.8).describe("Part of a limit from which on its use is told: 0.8"),
  hideModels: boolean()
    .default(false)
    .describe("Whether a model that a key may not call is 404, as one that does not exist, and not 403"),
});
