import type { IncomingMessage } from "node:http";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import type { Admit } from "../admission/admission.ts";
import { createBodyReceiver, createReceivingCapacity, type ReceiveLimits } from "../admission/receive-body.ts";
import type { NoteFailedCall } from "../admission/refused-calls.ts";
import { type DashboardOptions, dashboard } from "../dashboard/plugin.ts";
import type { RpcClients } from "../facade/client/clients.ts";
import { answerBadUrl, answerClientError, answerNoHost } from "../facade/early-failure.ts";
import { facade } from "../facade/plugin.ts";
import { readRequestId } from "../facade/request-id.ts";
import { NO_ROUTE, summarizeRequest } from "../facade/summarize-request.ts";
import type { OpenSummary } from "../hub/request-summary.ts";
import { removeBasePath } from "../lib/base-path.ts";
import { lazyAsync } from "../lib/lazy-async.ts";
import type { JsonLimits } from "../lib/scan-json.ts";
import type { RpcServices } from "../rpc/routes.ts";
import { acceptWebSocket } from "./accept-websocket.ts";
import { answerUnknownRpc } from "./answer-unknown-rpc.ts";
import { drainBody, isAnswered } from "./drain-body.ts";
import { createDualProtocolServer } from "./dual-protocol.ts";
import { addHealthRoutes, type Health } from "./health.ts";
import { addMetricsRoute, type GuardedMetrics } from "./metrics-route.ts";
import { rpc } from "./rpc.ts";
import type { TlsTerminator } from "./tls-terminator.ts";
import { limitWriteTime } from "./write-timeout.ts";

/** Most that the bodies of requests may have. */
type RequestLimits = ReceiveLimits & JsonLimits;

/** The options of a server. */
interface ServerOptions {
  readonly clients: RpcClients;
  readonly services: RpcServices;
  /** Judges requests from their headers; only then are their bodies read. */
  readonly admit: Admit;
  /** Judges the callers of the administrative service. */
  readonly admitAdmin: Admit;
  /** Judges who sends feedback. */
  readonly admitFeedback: Admit;
  /** Hears of calls that fail. */
  readonly noteFailed: NoteFailedCall;
  readonly openSummary: OpenSummary;
  readonly log: FastifyBaseLogger;
  readonly limits: RequestLimits;
  readonly heartbeatMs: number;
  /** Headers beyond the known ones that name a request's session. */
  readonly sessionHeaders: readonly string[];
  /** Origins of pages that may send feedback. */
  readonly browserOrigins: readonly string[];
  /** The time for which a client may read nothing, for each MiB that waits. */
  readonly clientIdleMs: number;
  /** Reverse proxies in front whose X-Forwarded headers are believed. */
  readonly proxies: number;
  /** Path of the host below which people and clients reach the server; empty for the root. */
  readonly basePath: string;
  /** The dashboard under /dashboard; undefined if it is off. */
  readonly dashboard: Omit<DashboardOptions, "publicApi"> | undefined;
  readonly health: Health;
  /** The standard gRPC services that are served without a key. */
  readonly open: { readonly health: boolean; readonly reflection: boolean };
  /** Ends TLS of the port; undefined for a port without. */
  readonly terminator: TlsTerminator | undefined;
  /** The page of GET /metrics; undefined if it is not served here. */
  readonly metrics: GuardedMetrics | undefined;
}

/** Of an answer to an address that no route was looked up for, so that no hook has run. */
const UNROUTED_HEADERS = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** More than a path can have: HTTP/1.1 bounds path and headers to 16 KiB, HTTP/2 to 64 KiB. */
const MAX_HEAD_BYTES = 65_536;

/** Creates the server: the public JSON API, the RPC API and the dashboard on one port. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { clients, services, admit, admitAdmin, admitFeedback, noteFailed, openSummary, limits, metrics, basePath } =
    options;
  const gates = { admit, admitAdmin, admitFeedback, noteFailed, openSummary };
  const receiving = createReceivingCapacity(limits);
  const receiveBody = createBodyReceiver(limits, receiving);
  const app = fastify({
    serverFactory: createDualProtocolServer(undefined, options.terminator, options.basePath),
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    bodyLimit: limits.bodyBytes,
    genReqId: readRequestId,
    requestIdHeader: false,
    trustProxy: options.proxies === 0 ? false : (_address: string, hop: number) => hop < options.proxies,
    exposeHeadRoutes: true,
    // Only below a path: at the root it would cost each request a call.
    ...(basePath === "" ? {} : { rewriteUrl: ({ url = "/" }: IncomingMessage) => removeBasePath(url, basePath) }),
    frameworkErrors(error, request, reply) {
      summarizeRequest(openSummary, reply, NO_ROUTE);
      answerBadUrl(error, request, reply.headers(UNROUTED_HEADERS));
    },
    clientErrorHandler: (error, socket) => (isAnswered(socket) ? socket.destroy() : answerClientError(error, socket)),
    forceCloseConnections: "idle",
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_HEAD_BYTES },
  });
  app.decorateRequest("summary", undefined);
  app.decorateRequest("answer", undefined);
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-content-type-options", "nosniff");
    const { httpVersion, headers } = request.raw;
    if (httpVersion === "1.1" && headers.host === undefined) {
      summarizeRequest(openSummary, reply, NO_ROUTE);
      answerNoHost(request, reply);
    } else done();
  });
  drainBody(app);
  app.addHook("onRequest", answerUnknownRpc(openSummary));
  limitWriteTime(app, { idleMs: options.clientIdleMs });
  addHealthRoutes(app, options.health);
  addOpenApiRoute(app);
  app.get("/", async (request, reply) => {
    const leads = options.dashboard !== undefined && request.headers.accept?.includes("text/html") === true;
    reply.header("vary", "accept");
    return leads ? await reply.redirect(`${basePath}/dashboard`) : { service: "attune", api: "/v1" };
  });
  if (metrics !== undefined) addMetricsRoute(app, metrics);
  await acceptWebSocket(app, limits.bodyBytes);
  // Each in a scope of its own: both parse JSON bodies, each in its own way.
  const open = { ...options.open, isReady: () => options.health.readiness().isReady };
  await app.register(rpc, { services, ...gates, receiveBody, limits, open });
  const { heartbeatMs, sessionHeaders } = options;
  const api = { clients, ...gates, receiveBody, receiving, heartbeatMs, sessionHeaders, limits };
  const publicApi = (scope: FastifyInstance) => facade(scope, { ...api, browserOrigins: [] });
  if (options.dashboard !== undefined) {
    await app.register(dashboard, { prefix: "/dashboard", ...options.dashboard, publicApi });
  }
  await app.register((scope) => facade(scope, { ...api, browserOrigins: options.browserOrigins }));
  return app;
}

/** Adds GET /openapi.json. The document is made when it is first asked for. */
export function addOpenApiRoute(app: FastifyInstance): void {
  const document = lazyAsync(async () => (await import("../openapi/text.ts")).openApiText());
  app.get("/openapi.json", async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(await document.get()),
  );
}
