import { REQUEST } from "../formats/embeddings/request/decode-request.ts";
import { answerId, constant, integer, list, number, object, oneOf, ref, text } from "../formats/shared/schema.ts";
import { CALL_HEADERS, type RequestHeader, SERVED_HEADERS } from "./headers.ts";
import type { ApiPart } from "./operation.ts";

const EXAMPLE_MODEL = "attune/text-embedding-3-small";

const ANSWER = object(
  {
    id: answerId("Id, for feedback"),
    object: constant("list"),
    data: list(
      object(
        {
          object: constant("embedding"),
          index: integer("Position of the text, from 0"),
          embedding: oneOf([list(number("A number"), "Numbers"), text("Floats of 32 bits in base64")], "The embedding"),
        },
        "The embedding of a text",
      ),
      "One for each text",
    ),
    model: text("Model, as the request names it"),
    usage: object({ prompt_tokens: integer("Tokens of the texts"), total_tokens: integer("The same") }, "Tokens"),
  },
  "Embeddings",
);

/** The Embeddings format. */
export const EMBEDDINGS: ApiPart = {
  tag: { name: "Embeddings", description: "The Embeddings format of OpenAI" },
  schemas: { EmbeddingsRequest: REQUEST.schema, Embeddings: ANSWER },
  operations: [
    {
      method: "post",
      path: "/v1/embeddings",
      id: "createEmbeddings",
      tag: "Embeddings",
      summary: "Create embeddings of texts",
      description: "For models that are configured for embeddings.",
      headers: ["idempotency-key", ...(Object.keys(CALL_HEADERS) as RequestHeader[])],
      body: { schema: ref("EmbeddingsRequest") },
      examples: {
        text: { body: { model: EXAMPLE_MODEL, input: "Hello" } },
        texts: {
          body: { model: EXAMPLE_MODEL, input: ["Hello", "Goodbye"], dimensions: 64, encoding_format: "base64" },
        },
      },
      answer: {
        description: "The embeddings",
        headers: [...SERVED_HEADERS, "x-ratelimit-*", "openai-processing-ms"],
        content: {
          "application/json": {
            schema: ref("Embeddings"),
            example: {
              id: "01a21d33-4a24-71da-8554-2d8735ba3c16",
              object: "list",
              data: [{ object: "embedding", index: 0, embedding: [0.0023064255, -0.009327292] }],
              model: EXAMPLE_MODEL,
              usage: { prompt_tokens: 1, total_tokens: 1 },
            },
          },
        },
      },
      envelopes: ["OpenAiError"],
    },
  ],
};
