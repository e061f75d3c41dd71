import { isJsonObject } from "../shared/json.ts";
import { parseErrorBody } from "../shared/parse-error-body.ts";
import type { EncodedRequest, ErrorAnswer, UpstreamProtocol } from "../shared/protocol.ts";
import { decodeError } from "./answer/decode-error.ts";
import { anthropicMessagesProtocol } from "./protocol.ts";

/** Version of the forms that Bedrock takes, in the body. */
const VERSION = "bedrock-2023-05-31";

/**
 * Messages as Amazon Bedrock has them, by InvokeModel (docs.aws.amazon.com/bedrock/latest/userguide, model parameters
 * of Anthropic's Claude; @anthropic-ai/bedrock-sdk): the model and whether to stream are in the path, the version and
 * the beta marks in the body, and a stream comes in AWS's framing. Tokens are counted for few models alone.
 */
export const bedrockMessagesProtocol: UpstreamProtocol = {
  ...withoutCount(anthropicMessagesProtocol),
  path: "/model",
  modelPath: (model, streamed) =>
    `/model/${encodeURIComponent(model)}/${streamed ? "invoke-with-response-stream" : "invoke"}`,
  requestIdHeaders: ["x-amzn-requestid"],
  forwardedHeaders: [],
  headers: (apiKey): Record<string, string> => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  encodeRequest: (input, target) => toInvocation(anthropicMessagesProtocol.encodeRequest(input, target)),
  decodeError: (answer) => decodeError({ ...answer, body: toErrorBody(answer) }),
};

function withoutCount({ count: _count, ...protocol }: UpstreamProtocol): UpstreamProtocol {
  return protocol;
}

function toInvocation({ body, headers = {}, ...request }: EncodedRequest): EncodedRequest {
  const { model: _model, stream: _stream, ...members } = body;
  const { "anthropic-beta": betas, ...others } = headers;
  const marks = betas === undefined ? {} : { anthropic_beta: betas.split(",") };
  return { ...request, headers: others, body: { anthropic_version: VERSION, ...marks, ...members } };
}

/** Errors of AWS have a name in a header, and a message in the body: {"message": "..."}. */
function toErrorBody({ headers, body }: ErrorAnswer): string {
  const json = parseErrorBody(body);
  if (json === undefined || isJsonObject(json["error"])) return body;
  const [type = ""] = String(headers["x-amzn-errortype"] ?? json["__type"] ?? "").split(":");
  const message = json["message"] ?? json["Message"];
  return JSON.stringify({ type: "error", error: { type: type.split("#").at(-1), message } });
}
