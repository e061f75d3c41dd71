import { z } from "zod";
import { across, type CrossMistake } from "./across.ts";
import { configuredControls } from "./control-schema.ts";
import { advantage, integer, keys, modelName } from "./fields.ts";

const DAY_MS = 86_400_000;

const EXPLORATIONS = ["users", "shadow", "off"] as const;

const controls = configuredControls();

const trials = keys({
  ...controls.shadow,
  concurrency: integer(1, 100).default(4).describe("Concurrent trials and grades of a process"),
  timeoutMs: integer(1000, DAY_MS).default(300_000).describe("Time limit for all calls of a trial"),
});

/** Nothing would be learned of answers that nobody grades. */
const shadow = across(trials, ({ share = 0, judge, secondJudge }): CrossMistake[] => {
  if (judge === undefined && share > 0) return [{ path: ["judge"], message: "a share above 0 needs a judge" }];
  if (secondJudge === undefined) return [];
  if (judge === undefined) return [{ path: ["judge"], message: "a secondJudge needs a first judge" }];
  if (secondJudge !== judge) return [];
  const message = "is the judge already: name another model, best of another vendor";
  return [{ path: ["secondJudge"], message }];
});

/** The keys of `learning`. */
export const learning = keys({
  ...controls.plain,
  explore: z
    .enum(EXPLORATIONS, { error: `must be ${EXPLORATIONS.join(", ")}` })
    .optional()
    .describe(
      "How other models are explored: users: they answer some calls where feedback is dense (5% of a kind of " +
        "prompt at first, 0.5% in the end); shadow: only in trials that nobody sees; off: not at all; users if " +
        "absent",
    ),
  priors: z
    .record(modelName(), advantage(), { error: "must be a map of model names to numbers" })
    .default({})
    .describe("Prior advantage of models over others, by name, in reward: 0.1, from -1 to 1"),
  models: z
    .union([z.enum(["upstream", "any"]), z.array(modelName())], { error: "must be upstream, any, or a list of models" })
    .default("upstream")
    .describe(
      "Models that may answer instead of the requested one, and be tried: upstream: those of the same upstream; " +
        "any; or a list of further ones",
    ),
  shadow: shadow
    .prefault({})
    .describe("Trials of other models in the background; a judge grades their answers, and nobody sees them"),
});
