import {
  choice,
  constant,
  flag,
  integer,
  list,
  long,
  type Members,
  number,
  object,
  orNull,
  record,
  ref,
  type Schema,
  text,
} from "../formats/shared/schema.ts";
import { ID_HEADERS } from "./headers.ts";
import type { ApiPart } from "./operation.ts";

const PRICES: Members = {
  input: number("Of the prompt"),
  output: number("Of the answer"),
  cache_read: number("Tokens read from a cache"),
  cache_write_5m: number("Written to a cache for five minutes"),
  cache_write_1h: number("Written to a cache for an hour"),
  cache_write_12h: number("Written to a cache for 12 hours"),
  reasoning: number("Reasoning in the answer"),
  audio_input: number("Audio in the prompt"),
  audio_cache_read: number("Audio read from a cache"),
  audio_output: number("Audio in the answer"),
  image_input: number("Images in the prompt"),
  image_output: number("Images in the answer"),
};

/** Prices that few models have. */
const FURTHER = Object.keys(PRICES).slice(5);

const STEP = object({ above_tokens: integer("Prompt tokens"), ...PRICES }, "Prices of longer prompts", FURTHER);
const SET: Members = { ...PRICES, long_prompts: list(STEP, "Prices of longer prompts, shortest first") };
const OPTIONAL = [...FURTHER, "long_prompts"];
const HOURS = object(
  { days: list(integer("From 1 for Monday"), "Days"), from: text("From, in UTC"), to: text("To, in UTC"), ...SET },
  "Prices at these hours",
  [...OPTIONAL, "days"],
);

const PRICING = object(
  {
    unit: constant("USD per million tokens"),
    ...SET,
    tiers: record(object(SET, "Prices of a tier", OPTIONAL), "Prices by tier of service or speed, such as `priority`"),
    hours: list(HOURS, "Prices by hours of the day"),
    regions: record(number("Multiple"), "Price multipliers by region"),
    tool_calls: record(number("USD"), "USD for a call of a tool that the provider runs"),
  },
  "Prices",
  [...OPTIONAL, "tiers", "hours", "regions", "tool_calls"],
);

const ID = text("Id of the model: `attune/NAME`");

const MODEL: Schema = object(
  {
    id: ID,
    object: constant("model"),
    type: constant("model"),
    created: long("Seconds since 1970"),
    created_at: text("The same as a time", { format: "date-time" }),
    owned_by: text("Owner"),
    display_name: text("Display name"),
    family: choice(["chat", "responses", "messages", "unknown"], "The model's own format"),
    purpose: text("Suitable use"),
    embeddings: flag("True for an embedding model, which works only with `POST /v1/embeddings`"),
    context_window: integer("Tokens of prompt and answer together; 0 if unknown"),
    context_length: integer("The same in OpenRouter's form, for clients that look for it; absent if unknown"),
    max_model_len: integer("The same in vLLM's form"),
    max_input_tokens: integer("Maximum prompt tokens; 0 if unknown"),
    max_tokens: integer("Maximum output tokens; 0 if unknown"),
    max_output_tokens: integer("The same"),
    min_cacheable_tokens: integer("Minimum prompt tokens for the prompt cache"),
    pricing: orNull(PRICING),
    served_by: list(text("Name"), "Upstreams"),
  },
  "A model",
  ["context_length", "max_model_len"],
);

const PAGE = object(
  {
    object: constant("list"),
    data: list(ref("Model"), "The models"),
    has_more: flag("Whether there are more"),
    first_id: orNull(ID),
    last_id: orNull(ID),
  },
  "A page of models, for the clients of both formats",
);

const EXAMPLE = {
  id: "attune/claude-haiku-5-5",
  object: "model",
  type: "model",
  created: 1791331200,
  created_at: "2026-10-07T00:00:00Z",
  owned_by: "attune",
  display_name: "Claude Haiku 5.5",
  family: "messages",
  purpose: "Lowest latency and cost: high-volume classification, extraction and routing",
  embeddings: false,
  context_window: 1000000,
  context_length: 1000000,
  max_model_len: 1000000,
  max_input_tokens: 1000000,
  max_tokens: 128000,
  max_output_tokens: 128000,
  min_cacheable_tokens: 4096,
  pricing: {
    unit: "USD per million tokens",
    input: 0.1,
    output: 0.5,
    cache_read: 0.01,
    cache_write_5m: 0.125,
    cache_write_1h: 0.2,
  },
  served_by: ["anthropic"],
};

const BASICS = {
  method: "get",
  tag: "Models",
  headers: ["anthropic-version"],
  envelopes: ["OpenAiError", "MessagesError"],
} as const;

/** The models. */
export const MODELS: ApiPart = {
  tag: { name: "Models", description: "The models that can be called" },
  schemas: { Model: MODEL, ModelPage: PAGE },
  operations: [
    {
      ...BASICS,
      path: "/v1/models",
      id: "listModels",
      summary: "List the models",
      parameters: {
        query: {
          limit: {
            description: "Maximum number of models on the page",
            schema: { type: "integer", format: "int32", minimum: 1, maximum: 1000 },
          },
          after_id: { description: "Id of the last model of the previous page", schema: { type: "string" } },
          before_id: { description: "Id of the first model of the next page", schema: { type: "string" } },
        },
      },
      examples: { page: { parameters: { limit: "2" } } },
      answer: {
        description: "A page of models",
        headers: ID_HEADERS,
        content: {
          "application/json": {
            schema: ref("ModelPage"),
            example: { object: "list", data: [EXAMPLE], has_more: false, first_id: EXAMPLE.id, last_id: EXAMPLE.id },
          },
        },
      },
    },
    {
      ...BASICS,
      path: "/v1/models/{id}",
      id: "getModel",
      summary: "Read a model",
      parameters: {
        path: { id: { description: "Id of the model; its slash needs no encoding", schema: { type: "string" } } },
      },
      examples: { haiku: { parameters: { id: EXAMPLE.id } } },
      answer: {
        description: "The model",
        headers: ID_HEADERS,
        content: { "application/json": { schema: ref("Model"), example: EXAMPLE } },
      },
    },
  ],
};
