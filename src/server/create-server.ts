import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { type DashboardOptions, dashboard } from "../dashboard/plugin.ts";
import type { RpcClients } from "../facade/client/clients.ts";
import { answerBadUrl, answerClientError } from "../facade/early-failure.ts";
import { facade } from "../facade/plugin.ts";
import { newId } from "../lib/ids.ts";
import { blameCaller } from "../rpc/blame-caller.ts";
import { createRoutes, type RpcServices } from "../rpc/routes.ts";
import { checkRpcHead } from "./check-rpc-head.ts";
import { createDualProtocolServer } from "./dual-protocol.ts";
import { addHealthRoutes, type Readiness } from "./health.ts";

/** Most that the body of a request may have. */
export interface RequestLimits {
  readonly bodyBytes: number;
  readonly jsonDepth: number;
}

/** A page of metrics. */
export interface MetricsPage {
  readonly contentType: string;
  expose(): Promise<string>;
}

/** What a server serves. */
export interface ServerOptions {
  readonly clients: RpcClients;
  readonly services: RpcServices;
  readonly log: FastifyBaseLogger;
  readonly limits: RequestLimits;
  readonly heartbeatMs: number;
  /** Reverse proxies in front whose X-Forwarded headers are believed. */
  readonly proxies: number;
  /** What is served under /dashboard; undefined if nothing is. */
  readonly dashboard: Omit<DashboardOptions, "publicApi"> | undefined;
  /** Whether this process should be sent requests. */
  readonly readiness: () => Readiness;
  /** What GET /metrics answers; undefined if it is not served. */
  readonly metrics: MetricsPage | undefined;
}

/** Creates the server: the public JSON API, the RPC API and the dashboard on one port. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { clients, heartbeatMs, limits, metrics } = options;
  const app = fastify({
    serverFactory: createDualProtocolServer(),
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    genReqId: () => newId(),
    requestIdHeader: false,
    trustProxy: options.proxies === 0 ? false : (_address: string, hop: number) => hop < options.proxies,
    exposeHeadRoutes: false,
    frameworkErrors: answerBadUrl,
    clientErrorHandler: answerClientError,
    forceCloseConnections: "idle",
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
  });
  addHealthRoutes(app, options.readiness);
  app.get("/", async () => ({ service: "attune", api: "/v1" }));
  app.head("/", async (_request, reply) => reply.send());
  if (metrics !== undefined) {
    app.get("/metrics", async (_request, reply) => reply.type(metrics.contentType).send(await metrics.expose()));
  }
  // Each in a scope of its own: both parse JSON bodies, each in its own way.
  await app.register(async (scope) => {
    scope.addHook("onRequest", checkRpcHead);
    await scope.register(fastifyConnectPlugin, {
      routes: createRoutes(options.services),
      readMaxBytes: limits.bodyBytes,
      requestGate: blameCaller,
      // What is not known would be dropped in silence: names of enums as well as of fields.
      jsonOptions: { ignoreUnknownFields: false },
    });
  });
  const publicApi = (scope: FastifyInstance) => facade(scope, { clients, heartbeatMs, maxJsonDepth: limits.jsonDepth });
  if (options.dashboard !== undefined) {
    await app.register(dashboard, { prefix: "/dashboard", ...options.dashboard, publicApi });
  }
  await app.register(publicApi);
  return app;
}
