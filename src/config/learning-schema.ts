import { z } from "zod";
import { configuredControls } from "./control-schema.ts";
import { advantage, integer, keys, modelName } from "./fields.ts";

const DAY_MS = 86_400_000;

const EXPLORATIONS = ["users", "shadow", "off"] as const;

const controls = configuredControls();

const shadow = keys({
  ...controls.shadow,
  concurrency: integer(1, 100).default(4).describe("Trials and grades of a process at a time"),
  timeoutMs: integer(1000, DAY_MS).default(300_000).describe("How long the calls of one trial may take together"),
});

/** The keys of `learning`. */
export const learning = keys({
  ...controls.plain,
  explore: z
    .enum(EXPLORATIONS, { error: `must be ${EXPLORATIONS.join(", ")}` })
    .optional()
    .describe(
      "Who finds out whether another model does better: users, of whom some calls are answered by one where feedback " +
        "is dense (5% of a kind of prompts at first, 0.5% in the end); shadow, whose trials nobody is given; off, " +
        "nobody; users if absent",
    ),
  priors: z
    .record(modelName(), advantage(), { error: "must be a map of model names to numbers" })
    .default({})
    .describe("How much better than others a model is believed to be, by its name, in rewards from 0 to 1: 0.1"),
  models: z
    .union([z.enum(["upstream", "any"]), z.array(modelName())], { error: "must be upstream, any, or a list of models" })
    .default("upstream")
    .describe(
      "Models that may answer in place of another one, and be tried: " +
        "those at an upstream that serves it too, any, or " +
        "these beside those",
    ),
  shadow: shadow.prefault({}).describe("Trials of other models, whose answers nobody is given and a judge grades"),
});
