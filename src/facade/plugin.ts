import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onRequestHookHandler,
  RouteHandlerMethod,
} from "fastify";
import type { Admit } from "../admission/admission.ts";
import {
  createReceivingCapacity,
  type ReceiveBody,
  type ReceiveLimits,
  type RequestStream,
} from "../admission/receive-body.ts";
import type { NoteFailedCall } from "../admission/refused-calls.ts";
import { chatCodec } from "../formats/chat/codec.ts";
import { messagesCodec } from "../formats/messages/codec.ts";
import { responsesCodec } from "../formats/responses/codec.ts";
import type { CountingCodec } from "../formats/shared/codec.ts";
import type { Capacity } from "../hub/capacity.ts";
import { InferenceError } from "../hub/error.ts";
import type { OpenSummary } from "../hub/request-summary.ts";
import { isUuid } from "../lib/ids.ts";
import { createAdminRoutes } from "./administration/routes.ts";
import { createAdmitHook, getAdmission, getCall } from "./admit-request.ts";
import { callFor } from "./client/admitted-call.ts";
import type { RpcClients } from "./client/clients.ts";
import { createCompactHandler } from "./compact-route.ts";
import { createConversationRoutes } from "./conversations/routes.ts";
import { receivePlainBody, refuseEncoding } from "./decompress-body.ts";
import { createEmbeddingsHandler } from "./embeddings-route.ts";
import { envelopeOfClient, getEnvelope } from "./envelope.ts";
import { failAtPlaces, sendFailure, toInferenceError } from "./fail.ts";
import { answerPreflight, createOriginCheck } from "./feedback/browser-origins.ts";
import { createDeleteHandler } from "./feedback/delete-route.ts";
import { createFeedbackHandler } from "./feedback/route.ts";
import { createTokenHandler } from "./feedback/token-route.ts";
import { createGenerateHandler } from "./generate-route.ts";
import { createListInferences } from "./inferences/list-route.ts";
import { createGetModel, createListModels } from "./models/route.ts";
import { noRoute } from "./no-route.ts";
import { type JsonLimits, objectBody, parseBody } from "./parse-body.ts";
import { readStored } from "./read-stored.ts";
import { readIdempotencyKey, readRequestHeaders } from "./request-headers.ts";
import { servingHeaders } from "./serving-headers.ts";
import { ResponsesSocket } from "./socket/responses-socket.ts";
import { SocketHub } from "./socket/socket-hub.ts";
import {
  createBackgroundAnswer,
  createCancelResponse,
  createDeleteResponse,
  createGetResponse,
  createListInputItems,
} from "./stored-routes.ts";
import { getRoute, summarizeRequest } from "./summarize-request.ts";
import { createGetUsage } from "./usage/route.ts";

/** The options of the facade. */
interface FacadeOptions {
  readonly clients: RpcClients;
  /** Judges a request from its headers; only then is its body read. */
  readonly admit: Admit;
  /** Does so for the administrative service. */
  readonly admitAdmin: Admit;
  /** Does so for who sends feedback. */
  readonly admitFeedback: Admit;
  readonly receiveBody: ReceiveBody;
  /** Counts the bytes of bodies and frames that are not answered yet. */
  readonly receiving: Capacity;
  /** Hears of calls that fail. */
  readonly noteFailed: NoteFailedCall;
  readonly openSummary: OpenSummary;
  /** Silence after which a stream's client is told that it is alive. */
  readonly heartbeatMs: number;
  /** Headers beyond the known ones that name a request's session. */
  readonly sessionHeaders: readonly string[];
  /** Origins of pages that may send feedback; empty for none. */
  readonly browserOrigins: readonly string[];
  /** The limits of a body, and of a frame of a WebSocket connection; the part of all connections for one project. */
  readonly limits: JsonLimits & Pick<ReceiveLimits, "bodyBytes" | "receivingBytes" | "projectShare">;
}

/** Every path of the public API with its methods: what else is asked of it is 405, and other paths are 404. */
type Routes = Record<string, Partial<Record<"GET" | "POST" | "PATCH" | "DELETE", RouteHandlerMethod>>>;

const EMBEDDINGS = "/v1/embeddings";
/** Texts come as tokens there, of which OpenAI takes 300,000: lists of numbers cost a tenth of what other values do. */
const MOST_TOKENS = 1_000_000;

/** Registers the public JSON API under /v1. */
export async function facade(app: FastifyInstance, options: FacadeOptions): Promise<void> {
  const { clients, receiveBody, limits } = options;
  const tokenLimits = { ...limits, jsonValues: Math.max(limits.jsonValues, MOST_TOKENS) };
  const limitsOf = ({ routeOptions }: FastifyRequest) => (routeOptions.url === EMBEDDINGS ? tokenLimits : limits);
  app.decorateRequest("admission", undefined);
  app.decorateRequest("idempotency", undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", async (request: FastifyRequest, payload: RequestStream) => {
    const body = await receivePlainBody(receiveBody, { request, payload }, limits);
    request.idempotency = readIdempotencyKey(request, body);
    // Some clients name the type of a body that is not there.
    return mayLackBody(request) && body.length === 0 ? undefined : parseBody(body, limitsOf(request));
  });
  app.addHook("onRequest", async (request, reply) => {
    summarizeRequest(options.openSummary, reply);
    return await markRequest(request, reply);
  });
  app.setErrorHandler((thrown, request, reply) => answerFailure(thrown, request, reply, options.noteFailed));
  app.setNotFoundHandler((request, reply) => sendFailure(reply, noRoute(request), envelopeOfClient(request)));
  addResponsesSocket(app, options);
  const conversations = createConversationRoutes(clients);
  registerRoutes(app, createAdmitHook(options.admit), {
    "/v1/chat/completions": { POST: createGenerateHandler(chatCodec, options) },
    "/v1/responses": { POST: createGenerateHandler(responsesCodec, options, createBackgroundAnswer(options)) },
    "/v1/responses/input_tokens": { POST: createCountTokensHandler(responsesCodec, clients) },
    "/v1/responses/compact": { POST: createCompactHandler(options) },
    "/v1/responses/:id": { GET: createGetResponse(options), DELETE: createDeleteResponse(options) },
    "/v1/responses/:id/input_items": { GET: createListInputItems(options) },
    "/v1/responses/:id/cancel": { POST: createCancelResponse(options) },
    "/v1/conversations": { POST: conversations.create },
    "/v1/conversations/:id": { GET: conversations.get, POST: conversations.update, DELETE: conversations.delete },
    "/v1/conversations/:id/items": { GET: conversations.listItems, POST: conversations.createItems },
    "/v1/conversations/:id/items/:itemId": { GET: conversations.getItem, DELETE: conversations.deleteItem },
    "/v1/messages": { POST: createGenerateHandler(messagesCodec, options) },
    "/v1/messages/count_tokens": { POST: createCountTokensHandler(messagesCodec, clients) },
    [EMBEDDINGS]: { POST: createEmbeddingsHandler(options) },
    "/v1/models": { GET: createListModels(clients) },
    "/v1/models/*": { GET: createGetModel(clients) },
    "/v1/usage": { GET: createGetUsage(clients) },
    "/v1/inferences": { GET: createListInferences(clients) },
    "/v1/feedback/tokens": { POST: createTokenHandler(clients) },
  });
  addFeedbackRoutes(app, options);
  registerRoutes(app, createAdmitHook(options.admitAdmin), createAdminRoutes(clients));
}

/** Adds the routes that pages of other origins may call. */
function addFeedbackRoutes(app: FastifyInstance, { clients, admitFeedback, browserOrigins }: FacadeOptions): void {
  const allowOrigin = createOriginCheck(browserOrigins);
  const admit = createAdmitHook(admitFeedback);
  const onRequest: onRequestHookHandler = (request, reply, done) => {
    // Before the key is judged: the page reads why it is refused.
    allowOrigin(request, reply);
    admit(request, reply, done);
  };
  const routes = {
    "/v1/feedback": { POST: createFeedbackHandler(clients) },
    "/v1/feedback/:id": { DELETE: createDeleteHandler(clients) },
  };
  for (const [url, handlers] of Object.entries(routes)) {
    const [method = ""] = Object.keys(handlers);
    app.route({
      method: "OPTIONS",
      url,
      async onRequest(request, reply) {
        const isPreflight = request.headers["access-control-request-method"] === method;
        const isAllowed = isPreflight && allowOrigin(request, reply);
        return isAllowed ? answerPreflight(reply, method) : refuseMethod(request, reply, [method]);
      },
      handler: async () => {},
    });
  }
  registerRoutes(app, onRequest, routes);
}

/** WebSocket connections are open for at most an hour, as the format's documentation has it. */
const MAX_SOCKET_AGE_MS = 3_600_000;

/** Part of the bytes of requests that conversations may have which connections remember. */
const REMEMBERED_SHARE = 0.5;

/** Serves the Responses format over WebSocket. The key is judged before the connection changes its protocol. */
function addResponsesSocket(app: FastifyInstance, options: FacadeOptions): void {
  const hub = new SocketHub({ maxAgeMs: MAX_SOCKET_AGE_MS, projectShare: options.limits.projectShare });
  const admit = createAdmitHook(options.admit);
  const { limits } = options;
  const receivingBytes = limits.receivingBytes * REMEMBERED_SHARE;
  const remembering = createReceivingCapacity({ ...limits, bodyBytes: 0, receivingBytes });
  app.addHook("preClose", async () => hub.end());
  app.route({
    method: "GET",
    exposeHeadRoute: false,
    url: "/v1/responses",
    onRequest(request, reply, done) {
      if (request.ws) admit.call(this, request, reply, done);
      else refuseMethod(request, reply, ["POST"]);
    },
    preHandler: async (request) => hub.check(getAdmission(request).principal),
    handler: async () => {},
    wsHandler: (socket, request) => {
      request.summary?.discard();
      hub.add(new ResponsesSocket(socket, request, getAdmission(request), { ...options, remembering }));
    },
  });
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): FastifyReply {
  reply.header("allow", allowed.join(", "));
  // HEAD is where GET is.
  const named = allowed.filter((method) => method !== "HEAD").join(" or ");
  const message = `${request.method} is not supported here: use ${named}`;
  return sendFailure(reply, InferenceError.invalid("", message), (error, requestId) => ({
    ...envelopeOfClient(request)(error, requestId),
    status: 405,
  }));
}

function mayLackBody({ method, routeOptions }: FastifyRequest): boolean {
  const { url } = routeOptions;
  return (
    method === "DELETE" ||
    url?.endsWith("/cancel") === true ||
    url?.endsWith("/rotate") === true ||
    url?.endsWith("/v1/conversations") === true
  );
}

function registerRoutes(app: FastifyInstance, onRequest: onRequestHookHandler, routes: Routes): void {
  for (const [url, handlers] of Object.entries(routes)) {
    // Of each GET route the server makes one for HEAD.
    const allowed = Object.keys(handlers).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method));
    for (const [method, handler] of Object.entries(handlers)) app.route({ method, url, onRequest, handler });
    const others = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter(
      (method) =>
        !allowed.includes(method) && !app.hasRoute({ url: `${app.prefix}${url}`, method: method as HTTPMethods }),
    );
    app.route({
      method: others,
      url,
      // Answered before the body is read: it does not matter what is in it.
      onRequest: async (request, reply) => {
        if (isSubRoute(url, request)) return sendFailure(reply, noRoute(request), envelopeOfClient(request));
        return refuseMethod(request, reply, allowed);
      },
      handler: async () => {},
    });
  }
}

/**
 * Tells whether what stands in place of an id is none: then it is the name of a sub-route, such as POST
 * /v1/responses/NAME.
 */
function isSubRoute(url: string, request: FastifyRequest): boolean {
  const { id } = request.params as { readonly id?: string };
  return url.endsWith("/responses/:id") && id !== undefined && !isUuid(id);
}

async function markRequest(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  reply.header("x-request-id", request.id).header("request-id", request.id);
  // Before its body is read, which nobody would look at.
  if (request.is404) return sendFailure(reply, noRoute(request), envelopeOfClient(request));
  return refuseEncoding(request, reply);
}

/** Answers what a hook, a parser or a handler threw. */
function answerFailure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  noteFailed: NoteFailedCall,
): FastifyReply {
  // What is wrong with a body does not matter where nobody would read it.
  if (request.is404) return sendFailure(reply, noRoute(request), envelopeOfClient(request));
  const error = toInferenceError(thrown);
  noteFailed(error, { call: getRoute(request), principal: request.admission?.principal });
  return sendFailure(reply, error, getStatus(thrown, getEnvelope(request)));
}

/** A content type that is not JSON has a status of its own. */
function getStatus(thrown: unknown, encode: ReturnType<typeof getEnvelope>): ReturnType<typeof getEnvelope> {
  const isMediaType = thrown instanceof Error && "code" in thrown && thrown.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE";
  return (error, requestId) => {
    const encoded = encode(error, requestId);
    return isMediaType && encoded.status === 400 ? { ...encoded, status: 415 } : encoded;
  };
}

/** Creates the handler of the route on which a format asks for the tokens of a prompt. */
function createCountTokensHandler(codec: CountingCodec, clients: RpcClients) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const input = codec.count.decodeRequest(objectBody(request.body), request.headers);
    Object.assign(input, readRequestHeaders(request.headers));
    const spell = (place: string): string => codec.formatFieldPath(place, input);
    const call = getCall(request, reply);
    await codec.resolveReferences?.(input, (id) => readStored(clients, id, call));
    const response = await clients.inference.countTokens({ input }, callFor(input, call)).catch(failAtPlaces(spell));
    return reply
      .headers(servingHeaders(response.serving, { request, spell }))
      .header("attune-token-count", response.estimated ? "estimated" : "exact")
      .send(codec.count.encodeResponse(response));
  };
}
