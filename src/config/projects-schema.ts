import type { DescEnum } from "@bufbuild/protobuf";
import { z } from "zod";
import { MemberRoleSchema } from "../../gen/attune/admin/v1/member_pb.ts";
import { BodyPolicySchema } from "../../gen/attune/admin/v1/project_pb.ts";
import { DirectionSchema } from "../../gen/attune/workload/v1/workload_pb.ts";
import { OPTIMIZATION_NAMES } from "../catalog/model.ts";
import { enumWords } from "../lib/protobuf/enum-word.ts";
import { KEY_PERMISSIONS } from "../vocabulary/key-permissions.ts";
import { projectControls } from "./control-schema.ts";
import { anyText, date, keys, modelName, share, text } from "./fields.ts";
import { limitFields } from "./quotas-schema.ts";

const MAX_NAME_LENGTH = 100;

/** A word of an enum of the protos. */
function word(schema: DescEnum) {
  const words = enumWords(schema);
  return z.enum(words, { error: `must be ${words.join(", ")}` });
}

/** A list of maps. */
function list<Item extends z.ZodType>(item: Item, noun: string) {
  return z.array(item, { error: `must be a list of ${noun}` }).optional();
}

function personName() {
  const error = `must be a text of 1 to ${MAX_NAME_LENGTH} characters`;
  return z.string({ error }).refine((name) => name.trim() !== "" && name.trim().length <= MAX_NAME_LENGTH, { error });
}

function number(error = "must be a number") {
  return z.preprocess((value) => (typeof value === "string" ? Number(value) : value), z.number({ error }));
}

/** A map of which each member stays as it is where it is absent, and is taken away where it is null. */
function clearable<Shape extends z.ZodRawShape>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, field]) => {
    const nullable = (field as z.ZodType).nullable();
    return [name, nullable.describe((field as z.ZodType).description ?? "")];
  });
  return keys(Object.fromEntries(fields) as { [Name in keyof Shape]: z.ZodNullable<Shape[Name]> });
}

function limits() {
  return clearable(limitFields("unchanged if absent, null for no limit", "unchanged if absent, null for all of them"));
}

const controls = projectControls(
  z.array(
    keys({
      name: anyText().describe("Name, with dots where it is nested"),
      weight: share().optional().describe("How much its values count; 0: only guarded"),
      direction: word(DirectionSchema).optional().describe("Which way it gets better where the client does not say"),
      atLeast: number().optional().describe("Lowest mean of a model that may answer in base's place"),
      atMost: number().optional().describe("Highest mean of such a model"),
    }),
    { error: "must be a list of metrics" },
  ),
);

const learning = clearable({
  ...controls.plain,
  shadow: clearable(controls.shadow).optional().describe("Trials of other models whose answers nobody gets"),
});

const key = keys({
  name: personName().describe("Name; no other key of the project that works has it"),
  permissions: z
    .array(z.enum(KEY_PERMISSIONS, { error: `must be ${KEY_PERMISSIONS.join(" or ")}` }), {
      error: "must be a list of permissions",
    })
    .optional()
    .describe("All that it may do besides calling models, sending feedback and reading; unchanged if absent"),
  tags: z
    .record(z.string(), anyText(), { error: "must be a map of names to texts" })
    .optional()
    .describe("Tags that all its calls get; unchanged if absent"),
  expiresAt: date().nullable().optional().describe("When it stops working; null for never, and unchanged if absent"),
  limits: limits().optional().describe("Limits of its calls"),
  secret: anyText()
    .optional()
    .describe("The whole key, where there is one already: $" + "{file:/run/secrets/ci}"),
  id: text(/^[0-9a-z]{12}$/, "must be the public id of a key: 12 letters and digits")
    .optional()
    .describe("Public id; that of the key of this name if absent"),
  hash: text(/^[0-9a-f]{64}$/, "must be the SHA-256 of a whole key: 64 hexadecimal digits")
    .optional()
    .describe("SHA-256 of the whole key, where somebody else has it; goes with id"),
});

const settings = keys({
  bodies: word(BodyPolicySchema).optional().describe("What is stored of requests and answers; unchanged if absent"),
  disabledOptimizations: z
    .array(z.enum(OPTIMIZATION_NAMES, { error: `must be of ${OPTIMIZATION_NAMES.join(", ")}` }), {
      error: "must be a list of optimizations",
    })
    .optional()
    .describe("Optimizations that are switched off; unchanged if absent"),
  aliases: z
    .record(modelName(), modelName(), { error: "must be a map of names to names of models" })
    .optional()
    .describe("Names of its own for models, each with the name of a model; unchanged if absent"),
});

const project = keys({
  name: personName().describe("Name, unique in the installation"),
  limits: limits().optional().describe("Limits of all its calls together; {} for none"),
  eachKey: limits().optional().describe("Limits of each of its keys that has none by name"),
  eachEndUser: limits().optional().describe("Limits of each of its end users who has none by name"),
  keys: list(key, "keys").describe("API keys"),
  members: list(
    keys({
      email: z.email({ error: "must be an e-mail address" }).describe("Address of the person"),
      role: word(MemberRoleSchema).describe("Role in the project"),
    }),
    "members",
  ).describe("People, who are invited where they have no account"),
  endUsers: list(
    keys({ id: anyText().describe("Id, as calls have it"), limits: limits().describe("The limits") }),
    "end users",
  ).describe("Limits of end users"),
  tags: list(
    keys({ tag: text(/=/, "must be a tag such as team=search"), limits: limits().describe("The limits") }),
    "tags",
  ).describe("Limits of the calls with a tag"),
  learning: learning
    .optional()
    .describe(
      "Learning from feedback, in all workloads without settings of their own; null leaves a member to attune.yaml",
    ),
  workloads: list(
    keys({ model: modelName().describe("Base of the workload"), learning: learning.describe("Its settings") }),
    "workloads",
  ).describe("Settings of single workloads"),
  settings: settings.optional().describe("All settings of the project, its own names for models among them"),
});

/** The schema of a file of projects, which `attune apply` applies. */
export const projectsSchema = keys({
  projects: list(project, "projects").describe("Projects, each once"),
  quotas: keys({
    installation: limits().optional().describe("Limits of all calls"),
    eachProject: limits().optional().describe("Limits of each project that has none by name"),
    eachKey: limits().optional().describe("Limits of each key that has none by name"),
    eachEndUser: limits().optional().describe("Limits of each end user who has none by name"),
  })
    .optional()
    .describe("Limits outside projects; those that aren't set here are those of attune.yaml"),
});
