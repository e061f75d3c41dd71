import { anyObject, constant, type Members, object, orNull, text } from "../formats/shared/schema.ts";

/** Schemas of failures, by their names in the document. */
export const ERRORS = {
  OpenAiError: object(
    {
      error: object(
        {
          message: text("What is wrong, and what to change"),
          type: text("Kind of the failure"),
          param: orNull(text("Place in the request")),
          code: orNull(text("Name of the failure")),
        },
        "The failure",
      ),
    },
    "A failure as Chat and Responses tell it",
  ),
  MessagesError: object(
    {
      type: constant("error"),
      error: object(
        {
          type: text("Kind of the failure"),
          message: text("What is wrong, and what to change"),
          details: anyObject("What clients need to recover"),
        },
        "The failure",
        ["details"],
      ),
      request_id: text("Identifier of the request"),
    },
    "A failure as Messages tells it",
  ),
} as const satisfies Members;
