import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { addHealthRoutes, type Health } from "./health.ts";
import { addMetricsRoute, type GuardedMetrics } from "./metrics-route.ts";

/** No request here has a body. */
const BODY_BYTES = 1024;

/** Parts of the admin server. */
interface AdminOptions {
  readonly health: Health;
  readonly metrics: GuardedMetrics;
  readonly log: FastifyBaseLogger;
}

/** Creates the server of the admin port: metrics and health for operators. Closing it cuts its connections. */
export function createAdminServer({ health, metrics, log }: AdminOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES,
    exposeHeadRoutes: true,
    forceCloseConnections: true,
  });
  addHealthRoutes(app, health);
  addMetricsRoute(app, metrics);
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ error: "this port has GET /metrics, GET /healthz and GET /readyz" }),
  );
  return app;
}
