import { anyObject, constant, type Members, object, orNull, text } from "../formats/shared/schema.ts";

/** Schemas of failures, by their names in the document. */
export const ERRORS = {
  OpenAiError: object(
    {
      error: object(
        {
          message: text("Error message, with what to change"),
          type: text("Kind of the failure"),
          param: orNull(text("Position in the request")),
          code: orNull(text("Name of the failure")),
        },
        "The failure",
      ),
    },
    "An error of Chat and Responses",
  ),
  MessagesError: object(
    {
      type: constant("error"),
      error: object(
        {
          type: text("Kind of the failure"),
          message: text("Error message, with what to change"),
          details: anyObject("Details that clients need to recover"),
        },
        "The failure",
        ["details"],
      ),
      request_id: text("Identifier of the request"),
    },
    "An error of Messages",
  ),
} as const satisfies Members;
