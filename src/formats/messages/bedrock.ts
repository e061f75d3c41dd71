import type { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { isJsonObject } from "../shared/json.ts";
import { parseErrorBody } from "../shared/parse-error-body.ts";
import type { AnswerContext, EncodedRequest, ErrorAnswer, EventDecoder, UpstreamProtocol } from "../shared/protocol.ts";
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
  createEventDecoder,
  encodeRequest: (input, target) => toInvocation(anthropicMessagesProtocol.encodeRequest(input, target)),
  decodeError: (answer, facts) => decodeError({ ...answer, body: toErrorBody(answer) }, facts),
};

/**
 * The mark of an answer in which a guardrail stepped in (docs.aws.amazon.com/bedrock/latest/userguide, guardrails with
 * InvokeModel). Inside of a text its quotes would be escaped.
 */
const INTERVENED = /"amazon-bedrock-guardrailAction"\s*:\s*"INTERVENED"/;

/** Creates the decoder of one answer; the text that a guardrail puts in its place has a natural end. */
function createEventDecoder(caller: Dialect, context?: AnswerContext): EventDecoder {
  const inner = anthropicMessagesProtocol.createEventDecoder(caller, context);
  let isBlocked = false;
  const mark = (events: GenerateEvent[]): GenerateEvent[] => {
    for (const { event } of isBlocked ? events : []) {
      if (event.case === "finished") event.value.reason = FinishReason.CONTENT_FILTER;
    }
    return events;
  };
  return {
    decode(message) {
      isBlocked ||= INTERVENED.test(message.data);
      return mark(inner.decode(message));
    },
    close: () => mark(inner.close()),
    decodeWhole(body) {
      isBlocked = INTERVENED.test(body);
      return mark(inner.decodeWhole(body));
    },
  };
}

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
