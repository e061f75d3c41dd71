import type { EncodedRequest, UpstreamProtocol } from "../shared/protocol.ts";
import { anthropicMessagesProtocol } from "./protocol.ts";

/** Version of the forms that Vertex AI takes, in the body. */
const VERSION = "vertex-2023-10-16";

const MODELS = "/publishers/anthropic/models";

const { count } = anthropicMessagesProtocol;

/**
 * Messages as Google Vertex AI has them (cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude;
 * @anthropic-ai/vertex-sdk): below a project's location, with the model in the path and the version in the body. Its
 * token is a bearer's.
 */
export const vertexMessagesProtocol: UpstreamProtocol = {
  ...anthropicMessagesProtocol,
  path: MODELS,
  modelPath: (model, streamed) => `${MODELS}/${escapeModel(model)}:${streamed ? "streamRawPredict" : "rawPredict"}`,
  requestIdHeaders: ["request-id", "x-request-id"],
  headers: (apiKey): Record<string, string> => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  encodeRequest: (input, target) => toPrediction(anthropicMessagesProtocol.encodeRequest(input, target)),
  ...(count && {
    count: {
      ...count,
      path: `${MODELS}/count-tokens:rawPredict`,
      encodeRequest: (input, target) => withVersion(count.encodeRequest(input, target)),
    },
  }),
};

/** Versions of models stand behind an @ sign. */
function escapeModel(model: string): string {
  return encodeURIComponent(model).replaceAll("%40", "@");
}

function toPrediction({ body: { model: _model, ...body }, ...request }: EncodedRequest): EncodedRequest {
  return withVersion({ ...request, body });
}

function withVersion({ body, ...request }: EncodedRequest): EncodedRequest {
  return { ...request, body: { anthropic_version: VERSION, ...body } };
}
