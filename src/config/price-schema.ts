import { z } from "zod";
import { integer, keys, multiple, price, text, usdPerCall } from "./fields.ts";

const MAX_TOKENS = 1_000_000_000;
const MAX_STEPS = 10;

const tokenPrices = {
  input: price().describe("Uncached prompt tokens"),
  output: price().describe("Output tokens, including reasoning"),
  cacheRead: price().optional().describe("Prompt tokens read from the cache; input if absent"),
  cacheWrite5m: price().optional().describe("Prompt tokens cached for 5 minutes; input if absent"),
  cacheWrite1h: price().optional().describe("Prompt tokens cached for an hour; cacheWrite5m if absent"),
  cacheWrite12h: price().optional().describe("Prompt tokens cached for 12 hours; unknown cost if absent"),
  reasoning: price().optional().describe("Reasoning tokens; output if absent"),
  audioInput: price().optional().describe("Audio input; unknown cost if absent"),
  audioCacheRead: price().optional().describe("Cached audio input; unknown cost if absent"),
  audioOutput: price().optional().describe("Audio output; unknown cost if absent"),
  imageInput: price().optional().describe("Image input; input if absent"),
  imageOutput: price().optional().describe("Image output; unknown cost if absent"),
};

const step = keys({
  aboveTokens: integer(1, MAX_TOKENS).describe("A prompt with more tokens than this is long"),
  ...tokenPrices,
});

const stepsError = `must be a map, or a list of 1 to ${MAX_STEPS} maps, each with aboveTokens`;

const longPrompt = z
  .union(
    [
      step,
      z
        .array(step)
        .min(1, { error: stepsError })
        .max(MAX_STEPS, { error: stepsError })
        .refine((steps) => new Set(steps.map(({ aboveTokens }) => aboveTokens)).size === steps.length, {
          error: "must not have two steps with the same aboveTokens",
        }),
    ],
    { error: stepsError },
  )
  .optional()
  .describe("Prices of every token of a request with a long prompt: one step, or a list of steps");

/** Prices of a variant: a multiple of the model's, or each of them. */
const variant = <Shape extends z.ZodRawShape>(more: Shape) =>
  keys({
    multiple: multiple().optional().describe("Multiple of the model's prices; or set each price"),
    ...tokenPrices,
    input: tokenPrices.input.optional(),
    output: tokenPrices.output.optional(),
    longPrompt,
    ...more,
  }).refine(isVariant, { error: "must have either multiple, or input and output" });

function isVariant(written: object): boolean {
  const { multiple: times, input, output }: { multiple?: unknown; input?: unknown; output?: unknown } = written;
  const priced = [...Object.keys(tokenPrices), "longPrompt"].some((name) => Object.hasOwn(written, name));
  return times === undefined ? input !== undefined && output !== undefined : !priced;
}

const timeOfDay = () => text(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day in UTC, such as "16:30"');

const days = z
  .array(integer(1, 7), { error: "must be a list of days, from 1 for Monday to 7" })
  .optional()
  .describe("Days of the week in UTC, from 1 for Monday to 7; all if absent");

/** A name in the words of a provider. */
const word = () => text(/^[\x21-\x7e]{1,64}$/, "must be a word of at most 64 printable characters");

/** The price of a model as it is written. */
export const modelPrice = keys({
  ...tokenPrices,
  longPrompt,
  tiers: z
    .record(word(), variant({}), { error: "must be a map of tiers, such as { priority: { multiple: 2 } }" })
    .optional()
    .describe(
      "Prices by the service tier or speed in the answer: priority, flex, batch, fast. Each is a multiple of the " +
        "model's prices, or has its own. A tier without a price has an unknown cost",
    ),
  hours: z
    .array(variant({ from: timeOfDay(), to: timeOfDay(), days }), {
      error: 'must be a list of hours, such as [{ from: "16:30", to: "00:30", multiple: 0.5 }]',
    })
    .optional()
    .describe("Prices by the hour of the day (UTC) in which a call begins"),
  regions: z
    .record(word(), multiple(), { error: "must be a map of regions, such as { us: 1.1 }" })
    .optional()
    .describe("Multiple of token prices by region: { us: 1.1 }"),
  toolCalls: z
    .record(word(), usdPerCall(), { error: "must be a map of tools, such as { web_search: 0.01 }" })
    .optional()
    .describe("USD per call of a tool that the provider runs: { web_search: 0.01 }"),
});
