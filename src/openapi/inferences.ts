import { type LIST_PARAMETERS, LISTED_STATUSES, MAX_LIST_LIMIT } from "../facade/inferences/list-route.ts";
import {
  answerId,
  constant,
  flag,
  integer,
  list,
  number,
  object,
  orNull,
  record,
  ref,
  type Schema,
  text,
} from "../formats/shared/schema.ts";
import { ID_HEADERS } from "./headers.ts";
import type { ApiPart, Parameter } from "./operation.ts";

const parameter = (description: string, schema: Schema = { type: "string" }): Parameter => ({ description, schema });

const PARAMETERS: Readonly<Record<(typeof LIST_PARAMETERS)[number], Parameter>> = {
  session: parameter("Inferences of this session"),
  user: parameter("Inferences of this end user"),
  tag: parameter("Inferences with this tag: `team=search`"),
  model: parameter("Inferences of this model"),
  workload: parameter("Inferences of this workload"),
  status: parameter("Inferences with this status", { type: "string", enum: Object.keys(LISTED_STATUSES) }),
  from: parameter("Inferences that began at this time or later", { type: "string", format: "date-time" }),
  to: parameter("Inferences that began before this time", { type: "string", format: "date-time" }),
  limit: parameter("Maximum number of inferences on the page", {
    type: "integer",
    format: "int32",
    minimum: 1,
    maximum: MAX_LIST_LIMIT,
    default: 100,
  }),
  after: parameter("`last_id` of the previous page"),
};

const USAGE = object(
  {
    input_tokens: integer("Prompt tokens, without cached ones"),
    cache_read_tokens: integer("Tokens read from a cache"),
    cache_write_tokens: integer("Tokens written to a cache"),
    output_tokens: integer("Output tokens, with reasoning"),
    reasoning_tokens: orNull(integer("Reasoning tokens")),
    estimated: flag("True if Attune estimated them"),
  },
  "Tokens",
);

const ID = answerId("Id, for feedback");

const INFERENCE = object(
  {
    id: ID,
    object: constant("inference"),
    model: text("Requested model"),
    served_model: text("Model that answered"),
    status: text("`completed`, `failed` or `canceled`"),
    error: orNull(text("Reason of a failure")),
    started_at: orNull(text("Its beginning", { format: "date-time" })),
    latency_ms: orNull(number("From start to end, in milliseconds")),
    key_id: text("Id of the key"),
    workload: orNull(text("Workload")),
    session: orNull(text("Session")),
    parent_session: orNull(text("Session that began this one")),
    user: orNull(text("End user")),
    tags: record({ type: "string" }, "Labels"),
    usage: orNull(USAGE),
    cost_usd: orNull(number("Cost in USD")),
    cost_gaps: list(text("Part"), "Parts without a known price: the call cost more than `cost_usd`"),
  },
  "A call",
);

const PAGE = object(
  {
    object: constant("list"),
    data: list(ref("Inference"), "The calls, the newest first"),
    has_more: flag("Whether there are more"),
    first_id: orNull(ID),
    last_id: orNull(ID),
  },
  "A page of calls",
);

const EXAMPLE = {
  id: "01a21d33-4fcf-764a-bd07-b1334e866e7c",
  object: "inference",
  model: "attune/claude-haiku-5-5",
  served_model: "attune/claude-haiku-5-5",
  status: "completed",
  error: null,
  started_at: "2026-11-27T13:30:31.759Z",
  latency_ms: 8,
  key_id: "53bc1g48i8cp",
  workload: null,
  session: "run-7",
  parent_session: null,
  user: "jane",
  tags: { team: "search" },
  usage: {
    input_tokens: 1,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    output_tokens: 15,
    reasoning_tokens: 0,
    estimated: false,
  },
  cost_usd: 0.0000076,
  cost_gaps: [],
};

/** Inferences. */
export const INFERENCES: ApiPart = {
  tag: { name: "Inferences", description: "Recorded calls" },
  schemas: { Inference: INFERENCE, InferencePage: PAGE },
  operations: [
    {
      method: "get",
      path: "/v1/inferences",
      id: "listInferences",
      tag: "Inferences",
      summary: "List calls, the newest first",
      description:
        "Covers the calls of the key, or of all keys of the project if the key has the permission `read:project`.",
      parameters: { query: PARAMETERS },
      examples: { page: { parameters: { status: "completed", limit: "10" } } },
      answer: {
        description: "A page of calls",
        headers: ID_HEADERS,
        content: {
          "application/json": {
            schema: ref("InferencePage"),
            example: { object: "list", data: [EXAMPLE], has_more: false, first_id: EXAMPLE.id, last_id: EXAMPLE.id },
          },
        },
      },
      envelopes: ["OpenAiError"],
    },
  ],
};
