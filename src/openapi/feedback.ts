import { FEEDBACK_EVENT } from "../facade/feedback/decode-event.ts";
import { TOKEN_REQUEST } from "../facade/feedback/token-route.ts";
import {
  constant,
  flag,
  integer,
  list,
  number,
  object,
  oneOf,
  orNull,
  record,
  ref,
  type Schema,
  text,
} from "../formats/shared/schema.ts";
import { ID_HEADERS } from "./headers.ts";
import type { ApiPart } from "./operation.ts";

const SCALARS: readonly Schema[] = [
  flag("A boolean metric"),
  number("A number metric"),
  text("A note"),
  { type: "null", description: "Withdraws the sender's feedback under this name and in its group" },
];

const VALUE = oneOf([...SCALARS, ref("FeedbackGroup")], "A value");

const GROUP = record(
  ref("FeedbackValue"),
  "A group, whose names are joined with dots. `score`, alone or with a `reason`, is one value",
);

const RESULT = object(
  {
    feedback_ids: orNull(record({ type: "string" }, "Ids of the stored values, by name")),
    error: orNull(
      object({ status_code: integer("HTTP status"), message: text("Error message") }, "Why nothing was stored"),
    ),
    warnings: list(
      text("A warning"),
      "Warnings about the stored values, such as one of another kind than earlier ones of its name; absent if there are none",
    ),
  },
  "Result of an event",
  ["warnings"],
);

const TOKEN = object(
  {
    token: text("Token, which a browser sends as `authorization: Bearer TOKEN` to `POST /v1/feedback`"),
    expires_at: text("When it expires", { format: "date-time" }),
  },
  "A token that may be public",
);

const DELETED = object(
  { id: text("Its id"), object: constant("feedback"), deleted: flag("Always true") },
  "It's withdrawn",
);

/** Feedback. */
export const FEEDBACK: ApiPart = {
  tag: { name: "Feedback", description: "Feedback on answers" },
  schemas: {
    FeedbackEvent: FEEDBACK_EVENT.schema,
    FeedbackTokenRequest: TOKEN_REQUEST.schema,
    FeedbackToken: TOKEN,
    FeedbackDeleted: DELETED,
    FeedbackValue: VALUE,
    FeedbackGroup: GROUP,
    FeedbackResult: RESULT,
  },
  operations: [
    {
      method: "post",
      path: "/v1/feedback",
      id: "createFeedback",
      tag: "Feedback",
      summary: "Send feedback on answers",
      // The schema stays an array: for a choice of both, generators write a type that is worse for everybody.
      description:
        "Authenticate with an API key, or with a token of `createFeedbackToken`. A single event may be sent without an array; the results are always an array.",
      headers: ["idempotency-key"],
      body: { schema: list(ref("FeedbackEvent"), "Events", { maxItems: 10_000 }) },
      examples: {
        session: {
          body: [{ session: "run-7", feedback: { passed: true }, tags: { page: "help" }, optimize: "max" }],
        },
        answer: {
          body: [
            {
              id: "01a21d33-4fbe-7375-bffd-9508bde983ca",
              feedback: { helpful: true, quality: { score: 0.8, reason: "to the point" } },
            },
          ],
        },
      },
      answer: {
        description: "A result for each event, in their order",
        headers: ID_HEADERS,
        content: {
          "application/json": {
            schema: list(ref("FeedbackResult"), "Results"),
            example: [
              {
                feedback_ids: {
                  helpful: "01a21d33-5062-7382-9dbe-af67773bc63d",
                  quality: "01a21d33-5062-7382-9dbe-b26bd0c1f762",
                },
                error: null,
              },
            ],
          },
        },
        // The name of the metric is that of the first example.
        links: {
          takeBack: { operation: "deleteFeedback", parameters: { id: "$response.body#/0/feedback_ids/passed" } },
        },
      },
      envelopes: ["OpenAiError"],
    },
    {
      method: "delete",
      path: "/v1/feedback/{id}",
      id: "deleteFeedback",
      tag: "Feedback",
      summary: "Withdraw feedback sent with the same key or token",
      parameters: { path: { id: { description: "Id of the stored value", schema: { type: "string" } } } },
      examples: { delete: {} },
      answer: {
        description: "It's withdrawn, now or earlier",
        headers: ID_HEADERS,
        content: {
          "application/json": {
            schema: ref("FeedbackDeleted"),
            example: { id: "01a21d33-5062-7382-9dbe-af67773bc63d", object: "feedback", deleted: true },
          },
        },
      },
      envelopes: ["OpenAiError"],
    },
    {
      method: "post",
      path: "/v1/feedback/tokens",
      id: "createFeedbackToken",
      tag: "Feedback",
      summary: "Create a token for a browser to send feedback on one answer or session",
      body: { schema: ref("FeedbackTokenRequest") },
      examples: {
        answer: { body: { id: "01a21d33-4fbe-7375-bffd-9508bde983ca" } },
        session: { body: { session: "run-7", expires_in: 86_400 } },
      },
      answer: {
        description: "The token; Attune doesn't store it",
        headers: ID_HEADERS,
        content: {
          "application/json": {
            schema: ref("FeedbackToken"),
            example: {
              token:
                "attfb_WyI1M2JjMWc0OGk4Y3AiLCIiLG51bGwsInJ1bi03IiwxODAxMzU3MjAwMDAwXQ.2Vd0Yt9cXw1mQkz3Lr8uNf5sHb7aJe4G",
              expires_at: "2027-01-31T00:00:00.000Z",
            },
          },
        },
      },
      envelopes: ["OpenAiError"],
    },
  ],
};
