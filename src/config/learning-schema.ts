import { z } from "zod";
import { advantage, anyText, integer, keys, modelName, share, usd } from "./fields.ts";

const DAY_MS = 86_400_000;

const MODES = ["off", "observe", "on"] as const;

const EXPLORATIONS = ["users", "shadow", "off"] as const;

const UNITS = ["session", "request"] as const;

const shadow = keys({
  share: share()
    .default(0)
    .describe("Part of the answers of each workload for which another model is asked as well, once it was given: 0.1"),
  judge: modelName().optional().describe("Model that grades both answers: one of the models"),
  usdPerDay: usd()
    .default(5)
    .describe("Most that trials and grades cost in a day (UTC) of all processes, in USD, where models have a price"),
  rubric: anyText()
    .optional()
    .describe("What a satisfactory answer is, for the judge: Answers name the article of the contract"),
  concurrency: integer(1, 100).default(4).describe("Trials and grades of a process at a time"),
  timeoutMs: integer(1000, DAY_MS).default(300_000).describe("How long the calls of one trial may take together"),
});

/** The keys of `learning`. */
export const learning = keys({
  mode: z
    .enum(MODES, { error: `must be ${MODES.join(", ")}` })
    .default("on")
    .describe(
      "What feedback may change where nobody has said otherwise: nothing; nothing, though it is decided and " +
        "recorded; or who answers",
    ),
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
  rewardPerPrice: share()
    .default(0.005)
    .describe(
      "Reward, of 1, that a model has to earn beside base's for each price of base that it costs more, with the " +
        "objectives quality and balanced: 0.005",
    ),
  unit: z
    .enum(UNITS, { error: `must be ${UNITS.join(", ")}` })
    .default("session")
    .describe("What is decided once on who answers: a session, where a call has one, or each request"),
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
