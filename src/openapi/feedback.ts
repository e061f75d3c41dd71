import { type FEEDBACK_MEMBERS, OPTIMIZE_NAMES } from "../facade/feedback/decode-event.ts";
import { ID_HEADERS } from "./headers.ts";
import type { ApiPart } from "./operation.ts";
import { choice, integer, list, object, oneOf, orNull, record, ref, request, type Schema, text } from "./schema.ts";

const MEMBERS: Readonly<Record<(typeof FEEDBACK_MEMBERS)[number], Schema>> = {
  id: text("Id of an answer, or of a candidate"),
  session: text("Session whose calls the feedback is on, in place of `id`"),
  feedback: record(ref("FeedbackValue"), "Metrics and notes, by their names"),
  tags: record({ type: "string" }, "Texts that are kept with the feedback"),
  optimize: choice(OPTIMIZE_NAMES, "Direction in which the metrics get better"),
};

const SCALAR: readonly Schema[] = [
  { type: "boolean", description: "A boolean metric" },
  { type: "number", description: "A number metric" },
  text("A note"),
];

const VALUE = oneOf(
  [
    ...SCALAR,
    {
      type: "object",
      description:
        "A group, whose names are joined with dots; or `score`, with a `reason` beside it or nothing, which is one value",
      additionalProperties: ref("FeedbackValue"),
    },
  ],
  "A value",
);

const RESULT = object(
  {
    feedback_ids: orNull(record({ type: "string" }, "Ids of what was stored, by the names of the values")),
    error: orNull(
      object({ status_code: integer("HTTP status"), message: text("What is wrong") }, "Why nothing was stored"),
    ),
  },
  "What became of an event",
);

/** Feedback. */
export const FEEDBACK: ApiPart = {
  tag: { name: "Feedback", description: "Feedback on answers" },
  schemas: {
    FeedbackEvent: {
      ...request(MEMBERS, "Feedback on an answer or a session", ["feedback"]),
      additionalProperties: false,
    },
    FeedbackValue: VALUE,
    FeedbackResult: RESULT,
  },
  operations: [
    {
      method: "post",
      path: "/v1/feedback",
      id: "createFeedback",
      tag: "Feedback",
      summary: "Send feedback on answers",
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
      },
      envelopes: ["OpenAiError"],
    },
  ],
};
