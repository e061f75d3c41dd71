import { z } from "zod";
import { BUDGET_EFFORTS } from "../catalog/budget-efforts.ts";
import { CHECKED_RETRIES, LEARNED_CANDIDATES, MODEL_FAMILIES } from "../catalog/model.ts";
import { across, type CrossMistake, type Sound } from "./across.ts";
import {
  anyText,
  boolean,
  date,
  headers,
  integer,
  keys,
  modelName,
  name,
  pattern,
  share,
  signingSecret,
  slowdown,
  webhookUrl,
} from "./fields.ts";
import { modelPrice } from "./price-schema.ts";

const MAX_TOKENS = 1_000_000_000;
const MAX_TTL_SECONDS = 30 * 86_400;
const MAX_RULES = 100;
const MAX_ALIASES = 20;
const MAX_CANDIDATES = 4;

const deployment = keys({
  upstream: name().describe("Name of an upstream"),
  model: anyText().describe("The upstream's name for the model"),
  price: modelPrice.optional().describe("Price at this upstream; the model's price if absent"),
  contextWindow: integer(1, MAX_TOKENS).optional().describe("Context window at this upstream; the model's if absent"),
});

const optimizations = keys({
  choice: boolean()
    .default(true)
    .describe(
      "Choose among the deployments by speed, load and price; prompts with the same beginning go to the same one",
    ),
  failover: boolean().default(true).describe("Ask the next deployment when one fails before its answer begins"),
  hedging: boolean()
    .default(true)
    .describe("Ask a second deployment when the first is slow to begin a stream; needs failover"),
  coalescing: boolean()
    .default(true)
    .describe("Share one call among identical simultaneous requests of a project, at temperature 0 or with a seed"),
  cacheMarks: boolean()
    .default(true)
    .describe(
      "Mark prompts that are likely to repeat for the prompt cache of Messages upstreams, unless the caller sets marks",
    ),
  cacheKeys: boolean()
    .default(true)
    .describe(
      "Send one prompt_cache_key for prompts with the same beginning, where the upstream accepts it, unless " +
        "the caller sets one",
    ),
  flexTier: boolean()
    .default(true)
    .describe(
      "Have `attune improve` ask in the flex tier, where the price has one and the upstream accepts it: it is " +
        "cheaper " +
        "and slower",
    ),
  responseCache: keys({
    ttlSeconds: integer(1, MAX_TTL_SECONDS).describe("Maximum age of a reused answer"),
  })
    .optional()
    .describe(
      "Reuse earlier answers for identical requests of a project, at temperature 0 or with a seed; never if absent",
    ),
  checkedRetry: z
    .enum(CHECKED_RETRIES, { error: `must be ${CHECKED_RETRIES.join(", ")}` })
    .default("off")
    .describe(
      "Ask the model once more when an answer fails its checks (JSON, tool calls): off; unary for answers " +
        "that are not streamed; on for streams too, which are then buffered until they are checked",
    ),
});

/** Headers that the connection has, that say what is sent, and that a call is signed with. */
const OWN_HEADER =
  /^(?:connection|keep-alive|upgrade|expect|te|trailer|transfer-encoding|content-(?:length|type|encoding)|accept|webhook-.*)$/i;

const answerWebhook = keys({
  url: webhookUrl().describe("Address that answers are posted to: http://127.0.0.1:9000/check"),
  deadlineMs: integer(10, 30_000).default(2000).describe("Milliseconds that an answer waits for it"),
  concurrency: integer(1, 1000).default(32).describe("Concurrent calls per process"),
  secret: signingSecret().optional().describe("Secret that signs its calls (Standard Webhooks); unsigned if absent"),
  headers: headers()
    .refine((given) => !Object.keys(given).some((header) => OWN_HEADER.test(header)), {
      error: "must not have headers that are made for each call, such as content-type and webhook-signature",
    })
    .default({})
    .describe("Headers of every call"),
  sendPrompt: boolean().default(false).describe("Also send the prompt"),
});

const ruleMembers = keys({
  workload: anyText().optional().describe("Workload that it applies to; all if absent"),
  pattern: pattern().optional().describe("Regular expression (ECMAScript, flag u) that the text must match"),
  schema: z
    .record(z.string(), z.unknown(), { error: "must be a JSON schema: a map" })
    .optional()
    .describe("JSON schema that the text must match"),
  webhook: answerWebhook.optional().describe("Your own service that accepts or rejects answers"),
});

const answerRule = across(ruleMembers, ({ pattern, schema, webhook }) =>
  pattern === undefined && schema === undefined && webhook === undefined
    ? [{ path: [], message: "must have a pattern, a schema or a webhook" }]
    : [],
);

const budgetEfforts = keys(
  Object.fromEntries(BUDGET_EFFORTS.map((effort) => [effort, integer(0, MAX_TOKENS).optional()])),
).refine((above) => new Set(Object.values(above)).size === Object.keys(above).length, {
  error: "must not have the same number of tokens for two efforts",
});

const familyError = "must be responses, messages or chat";

const candidateMembers = keys({
  max: integer(1, MAX_CANDIDATES)
    .default(1)
    .describe("Maximum answers that a request may ask for with attune-candidates; the best one is returned"),
  learned: z
    .enum(LEARNED_CANDIDATES, { error: `must be ${LEARNED_CANDIDATES.join(", ")}` })
    .default("off")
    .describe(
      "Use best-of-n automatically where it pays, also with other models: off; unary for answers that are " +
        "not streamed; on for streams too, which are then buffered",
    ),
  selectorTrials: share()
    .optional()
    .describe(
      "Share of requests, 0 to 1, that get one of two answers at random to measure the selector, until it " +
        "is proven; 0.05 if absent and learned is not off",
    ),
  maxSlowdown: keys({
    unary: slowdown().optional().describe("Answers that are not streamed, and the ends of streams; 3 if absent"),
    firstToken: slowdown().optional().describe("First tokens of streams; 30 if absent"),
  })
    .optional()
    .describe(
      "Maximum time of automatic best-of-n, as a multiple of single answers on average; slower arms are no longer used",
    ),
});

/** Models with one candidate have no settings of a choice. */
const candidates = across(candidateMembers, ({ max, learned, ...settings }): CrossMistake[] => {
  if (learned === "off") {
    const idle = Object.entries(settings).filter(([, given]) => given !== undefined);
    return idle.map(([name]) => ({ path: [name], message: "has no effect without learned: unary or on" }));
  }
  if (learned === undefined || max !== 1) return [];
  return [{ path: ["learned"], message: "has no effect without a max of 2 or more" }];
});

const modelMembers = {
  name: modelName().describe("Listed as PREFIX/NAME; the prefix is optional in requests"),
  aliases: z
    .array(modelName(), { error: "must be a list of names" })
    .max(MAX_ALIASES, { error: `must have at most ${MAX_ALIASES} names` })
    .optional()
    .describe("Other names for requests, with or without the prefix; not listed"),
  displayName: anyText().optional().describe("Display name; the name if absent"),
  family: z
    .enum(MODEL_FAMILIES, { error: familyError })
    .describe("Native format, shown in the model list; callers may use any format"),
  routes: z
    .array(z.enum(MODEL_FAMILIES, { error: familyError }), { error: "must be a list of formats" })
    .min(1, { error: "must have at least one format" })
    .optional()
    .describe("Formats in which it may be called over HTTP; all if absent"),
  embeddings: boolean()
    .optional()
    .describe("An embedding model, for POST /v1/embeddings only; maxOutputTokens is then 1 if absent"),
  purpose: z.string({ error: "must be a text" }).default("").describe("What the model is good for, in a sentence"),
  contextWindow: integer(1, MAX_TOKENS)
    .optional()
    .describe("Tokens of prompt and answer together; if absent, from public lists, or not checked"),
  maxInputTokens: integer(1, MAX_TOKENS).optional().describe("Most prompt tokens, if fewer than the window"),
  maxOutputTokens: integer(1, MAX_TOKENS)
    .optional()
    .describe(
      "Maximum output tokens; if absent, from public lists, or not checked. An upstream whose format needs a " +
        "limit then gets 8192, if the caller sets none",
    ),
  minCacheableTokens: integer(0, MAX_TOKENS)
    .default(0)
    .describe("Minimum prompt tokens for the provider's cache; 0 if it has no cache"),
  thinking: z
    .enum(["adaptive", "budget", "none"], { error: "must be adaptive, budget or none" })
    .optional()
    .describe(
      "How it thinks: adaptive, with a token budget, or not at all; if absent, adaptive if the Messages API " +
        "requires it",
    ),
  budgetEfforts: budgetEfforts
    .optional()
    .describe(
      "Effort for upstreams of the OpenAI kinds instead of a thinking budget, by the budget above which it is " +
        "used: { low: 0, medium: 2048, high: 16384 } if absent; a budget above none of them is a named loss",
    ),
  price: modelPrice
    .optional()
    .describe("USD per million tokens; if absent, the cost is unknown, or 0 if only sandboxes serve the model"),
  createdAt: date().optional().describe("Release date"),
  retiresAt: date().optional().describe("Retirement date; from then on, calls still work and a warning is logged"),
  deployments: z
    .array(deployment, { error: "must be a list of deployments" })
    .min(1, { error: "must have at least one deployment" })
    .describe("Upstreams that serve the model, best first; they must be equal except for price and speed"),
  optimizations: optimizations.prefault({}).describe("Optimizations"),
  checks: z
    .array(answerRule, { error: "must be a list of rules" })
    .max(MAX_RULES, { error: `must have at most ${MAX_RULES} rules` })
    .optional()
    .describe("Further checks of its answers, for checkedRetry and candidates"),
  candidates: candidates.optional().describe("Best of several answers; off if absent"),
};

/** All that an answer is for are asked at once. */
const MAX_WEBHOOKS = 8;

/** Finds limits that contradict each other, and rules that nothing is done about: they would look as if they were kept. */
function checkModel({ contextWindow, maxOutputTokens, checks = [], ...model }: Sound<ParsedModel>): CrossMistake[] {
  const { optimizations, candidates } = model;
  const isTooLong = (maxOutputTokens ?? 0) > (contextWindow ?? Number.POSITIVE_INFINITY);
  const tooLong = "must not be more than contextWindow, which counts prompt and answer together";
  const hasOneAnswer = candidates === undefined || candidates.max === 1;
  const isIdle = checks.length > 0 && optimizations?.checkedRetry === "off" && hasOneAnswer;
  const idle = "has no effect without optimizations.checkedRetry: unary or on, or candidates.max";
  const hasMany = checks.filter((rule) => rule?.webhook !== undefined).length > MAX_WEBHOOKS;
  return [
    ...(isTooLong ? [{ path: ["maxOutputTokens"], message: tooLong }] : []),
    ...(isIdle ? [{ path: ["checks"], message: idle }] : []),
    ...(hasMany ? [{ path: ["checks"], message: `must have at most ${MAX_WEBHOOKS} rules with a webhook` }] : []),
  ];
}

const model = keys(modelMembers, "must be a name that lists know, or a map");

type ParsedModel = z.output<typeof model>;

/** A model as it is written, if it is not its name alone. */
export const modelSchema = across(model, checkModel);
