import type { Buffer } from "node:buffer";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import { ErrorReason, InferenceError } from "../inference/error.ts";
import { chatCodec } from "./chat/codec.ts";
import type { RpcClients } from "./client/clients.ts";
import { envelopeOf } from "./envelope.ts";
import { sendFailure, toInferenceError } from "./fail.ts";
import { createFeedbackHandler } from "./feedback/route.ts";
import { createGenerateHandler } from "./generate-route.ts";
import { messagesCodec } from "./messages/codec.ts";
import { createCountTokensHandler } from "./messages/count-tokens-route.ts";
import { createGetModel, createListModels } from "./models/route.ts";
import { parseBody } from "./parse-body.ts";
import { keyHeaders } from "./request-headers.ts";
import { responsesCodec } from "./responses/codec.ts";
import { createDeleteResponse, createGetResponse, createListInputItems } from "./stored-routes.ts";

/** What the facade works with. */
export interface FacadeOptions {
  readonly clients: RpcClients;
  /** Silence after which a stream's client is told that it is alive. */
  readonly heartbeatMs: number;
  /** Deepest nesting that a body may have. */
  readonly maxJsonDepth: number;
}

/** Every path of the public API with its methods: what else is asked of it is 405, and other paths are 404. */
type Routes = Record<string, Partial<Record<"GET" | "POST" | "DELETE", RouteHandlerMethod>>>;

/** Registers the public JSON API under /v1. */
export async function facade(app: FastifyInstance, options: FacadeOptions): Promise<void> {
  const { clients, maxJsonDepth } = options;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) =>
    // Some clients name the type of a body that is not there.
    request.method === "DELETE" && body.length === 0 ? undefined : parseBody(body, maxJsonDepth),
  );
  app.addHook("onRequest", markRequest);
  app.setErrorHandler((thrown, request, reply) => answerFailure(clients, thrown, request, reply));
  app.setNotFoundHandler((request, reply) => sendFailure(reply, notFound(request), envelopeOf(request)));
  registerRoutes(app, {
    "/v1/chat/completions": { POST: createGenerateHandler(chatCodec, options) },
    "/v1/responses": { POST: createGenerateHandler(responsesCodec, options) },
    "/v1/responses/:id": { GET: createGetResponse(clients), DELETE: createDeleteResponse(clients) },
    "/v1/responses/:id/input_items": { GET: createListInputItems(clients) },
    "/v1/messages": { POST: createGenerateHandler(messagesCodec, options) },
    "/v1/messages/count_tokens": { POST: createCountTokensHandler(clients) },
    "/v1/models": { GET: createListModels(clients) },
    "/v1/models/*": { GET: createGetModel(clients) },
    "/v1/feedback": { POST: createFeedbackHandler(clients) },
  });
}

function registerRoutes(app: FastifyInstance, routes: Routes): void {
  for (const [url, handlers] of Object.entries(routes)) {
    const allowed = Object.keys(handlers);
    for (const [method, handler] of Object.entries(handlers)) app.route({ method, url, handler });
    const others = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter(
      (method) => !allowed.includes(method),
    );
    app.route({
      method: others,
      url,
      // Answered before the body is read: it does not matter what is in it.
      onRequest: async (request, reply) => {
        reply.header("allow", allowed.join(", "));
        const message = `${request.method} is not supported here: use ${allowed.join(" or ")}`;
        return sendFailure(reply, InferenceError.invalid("", message), (error, requestId) => ({
          ...envelopeOf(request)(error, requestId),
          status: 405,
        }));
      },
      handler: async () => {},
    });
  }
}

async function markRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header("x-request-id", request.id).header("request-id", request.id);
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw InferenceError.invalid(
      "content-encoding",
      `'${encoding.slice(0, 32)}' is not supported: send the body as it is`,
    );
  }
}

function notFound(request: FastifyRequest): InferenceError {
  const path = request.url.split("?", 1)[0];
  return new InferenceError(ErrorReason.NOT_FOUND, `there is no ${request.method} ${path} here`);
}

/**
 * Answers what a handler threw. Whoever sends a wrong request with a wrong key learns of the key first: the key is judged
 * by the service, which a request that cannot be decoded has not reached.
 */
async function answerFailure(
  clients: RpcClients,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // What is wrong with a body does not matter where nobody would read it.
  if (request.is404) return sendFailure(reply, notFound(request), envelopeOf(request));
  let error = toInferenceError(thrown, request.routeOptions.bodyLimit);
  if (error.facts.inferenceId === undefined && isRequestFault(error)) {
    error = await clients.model.listModels({}, { headers: keyHeaders(request.headers) }).then(
      () => error,
      (refused: unknown) => unauthenticated(refused) ?? error,
    );
  }
  return sendFailure(reply, error, statusOf(thrown, envelopeOf(request)));
}

function isRequestFault(error: InferenceError): boolean {
  return error.reason === ErrorReason.INVALID_REQUEST || error.reason === ErrorReason.REQUEST_TOO_LARGE;
}

function unauthenticated(thrown: unknown): InferenceError | undefined {
  const error = toInferenceError(thrown);
  return error.reason === ErrorReason.UNAUTHENTICATED ? error : undefined;
}

/** A content type that is not JSON has a status of its own. */
function statusOf(thrown: unknown, encode: ReturnType<typeof envelopeOf>): ReturnType<typeof envelopeOf> {
  const isMediaType = thrown instanceof Error && "code" in thrown && thrown.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE";
  return (error, requestId) => {
    const encoded = encode(error, requestId);
    return isMediaType && encoded.status === 400 ? { ...encoded, status: 415 } : encoded;
  };
}
