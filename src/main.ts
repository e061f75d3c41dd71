import { setTimeout as delay } from "node:timers/promises";
import { AdminService } from "../gen/attune/admin/v1/admin_pb.ts";
import { ConversationService } from "../gen/attune/conversation/v1/conversation_pb.ts";
import { FeedbackService } from "../gen/attune/feedback/v1/feedback_pb.ts";
import { InferenceService } from "../gen/attune/inference/v1/inference_pb.ts";
import { ModelService } from "../gen/attune/model/v1/model_pb.ts";
import { UsageService } from "../gen/attune/usage/v1/usage_pb.ts";
import { createAdminAdmission, createAdmission } from "./admission/admission.ts";
import { createFeedbackAdmission } from "./admission/feedback-admission.ts";
import { feedbackSigner } from "./admission/feedback-token.ts";
import { TokenRates } from "./admission/token-rates.ts";
import type { Config } from "./config/config.ts";
import type { DashboardBuild } from "./dashboard/build/dashboard-build.ts";
import type { RpcClients } from "./facade/client/clients.ts";
import { createInProcessClient, createInProcessStream } from "./facade/client/in-process.ts";
import { endingError } from "./inference/run/in-flight.ts";
import { readBasePath } from "./lib/base-path.ts";
import { newId } from "./lib/ids.ts";
import { createServices } from "./main/create-services.ts";
import { dashboardDependencies } from "./main/dashboard-dependencies.ts";
import { closeResources, flushResources, openResources, type Resources } from "./main/open-resources.ts";
import { createOpenSummary } from "./main/open-summary.ts";
import { reload } from "./main/reload.ts";
import type { Setup } from "./main/setup.ts";
import type { Metrics } from "./observability/metrics.ts";
import { createAdminServer } from "./server/admin-server.ts";
import { closeServer, leaveConnections } from "./server/close-server.ts";
import { createServer } from "./server/create-server.ts";
import { formatUrl } from "./server/format-url.ts";
import { getReadiness } from "./server/health.ts";
import type { MetricsPage } from "./server/metrics-route.ts";
import { TlsTerminator } from "./server/tls-terminator.ts";
import { AdminKeyAuthenticator } from "./store/admin-keys/admin-key-authenticator.ts";
import type { WorkerLink } from "./workers/link.ts";

/** Silence after which a stream's client is told that it is alive. */
const HEARTBEAT_MS = 10_000;

/** Connections that may wait until they are taken; the system may have a smaller limit. A burst beyond it is reset. */
const BACKLOG = 4096;

/** A service that runs. */
export interface RunningService {
  /** Address to call it at. */
  readonly url: string;
  /** Address of metrics and health; undefined where there is no admin port. */
  readonly adminUrl: string | undefined;
  /**
   * Serves by another configuration: models, prices, upstreams, routing, learning, quotas and log. Requests under way
   * end by the former one. Returns the names of the other settings that differ, which take a restart. Rejects, and
   * changes nothing, where what was learned cannot be read.
   */
  reload(config: Config): Promise<readonly string[]>;
  /** Resolves once all that was recorded so far is in the database. */
  flush(): Promise<void>;
  /**
   * Says at /readyz that it ends, and serves on for server.drainMs. Then it takes no more requests, lets those under
   * way end up to server.shutdownMs, and writes what is recorded; what the database does not take stays in the spool.
   * The store stays open.
   */
  close(): Promise<void>;
  /**
   * The same where another process takes this one's place on the port: clients go over to that without a failed
   * request.
   */
  leave(): Promise<void>;
}

/** The time that idle clients may keep their connections to a process that stops. */
const LEAVE_MS = 2000;

/** The options of a service. */
interface ServiceOptions extends Setup {
  readonly heartbeatMs?: number;
  /** Pages of the dashboard, built or being built; without them it is not served. */
  readonly dashboardBuild?: DashboardBuild | undefined;
  /** The link to the other processes that serve on its port, if there are any. */
  readonly link?: Pick<WorkerLink, "share" | "expose" | "farewell" | "drains"> | undefined;
}

/** Opens what the service holds, puts its rooms together and listens. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { config, log, heartbeatMs, dashboardBuild: build, link } = options;
  const resources = await openResources(options, link?.drains);
  const { records, inFlight, generations, quotaBook } = resources;
  const gates = createGates(resources, options);
  const services = createServices(resources, gates.admit, options);
  const { host, port, proxies, reusePort, limits, clientIdleMs, drainMs, shutdownMs, grpcHealth, reflection } =
    config.server;
  const { adminHost, adminPort, metricsToken } = config.server;
  let isClosing = false;
  const health = { instance: newId(), readiness: () => getReadiness(records, isClosing) };
  const metrics = { page: metricsPage(resources.metrics, options), token: metricsToken };
  const admin = adminPort === undefined ? undefined : createAdminServer({ health, metrics, log });
  const terminator = config.server.tls && new TlsTerminator(config.server.tls);
  const app = await createServer({
    clients: createClients(services),
    services: services.rpc,
    ...gates,
    noteFailed: (error, call) => resources.refusedCalls.note(error, call),
    openSummary: createOpenSummary(resources, options),
    log,
    limits,
    heartbeatMs: heartbeatMs ?? HEARTBEAT_MS,
    sessionHeaders: config.server.sessionHeaders,
    browserOrigins: config.server.browserOrigins,
    clientIdleMs,
    proxies,
    basePath: readBasePath(config.server.publicUrl),
    dashboard: build && { build, dependencies: dashboardDependencies(resources, services, options) },
    health,
    open: { health: grpcHealth, reflection },
    terminator,
    // A proxy of the same machine reaches this port for everybody, whatever the host.
    metrics: admin === undefined && metricsToken !== undefined ? metrics : undefined,
  });
  await admin?.listen({ host: adminHost, port: adminPort });
  // Fastify hands on what it does not know.
  const address = { host, port, reusePort, backlog: BACKLOG };
  await app.listen(address);
  const close = async (): Promise<void> => {
    isClosing = true;
    if (drainMs > 0) {
      log.info({ drainMs }, "readiness says no; the port stays open for server.drainMs");
      await delay(drainMs);
    }
    log.info(
      { shutdownMs, inFlight: inFlight.size },
      "the port closes; requests under way have server.shutdownMs to end",
    );
    const deadline = performance.now() + shutdownMs;
    await closeServer(app, { limitMs: shutdownMs, breakOff: () => inFlight.breakOff(endingError()) });
    await inFlight.end(deadline, endingError());
    await admin?.close();
    log.info("all requests have ended; the spool is written to the database");
    await closeResources(resources);
    build?.close();
    await link?.farewell();
  };
  return {
    url: formatUrl(app.server.address(), terminator === undefined ? "http" : "https"),
    adminUrl: admin && formatUrl(admin.server.address()),
    reload: (next) => reload(next, { generations, quotaBook, terminator }, options),
    flush: () => flushResources(resources),
    close,
    async leave() {
      await leaveConnections(app.server, LEAVE_MS);
      await close();
    },
  };
}

/** Returns what judges callers, by what they call. */
function createGates({ keys, signingKey }: Resources, { store, config }: ServiceOptions) {
  const { authenticator } = keys;
  const rates = new TokenRates(config.server.limits);
  const admit = createAdmission(authenticator);
  return {
    admit,
    admitAdmin: createAdminAdmission(new AdminKeyAuthenticator(store)),
    admitFeedback: createFeedbackAdmission({ authenticator, signer: feedbackSigner(signingKey), rates, admit }),
  };
}

/** Returns the clients of the services that the JSON formats call. */
function createClients({ rpc, pushInference }: ReturnType<typeof createServices>): RpcClients {
  return {
    inference: createInProcessClient(InferenceService, rpc.inference),
    streamInference: createInProcessStream(InferenceService.method.streamGenerate, pushInference),
    model: createInProcessClient(ModelService, rpc.model),
    conversation: createInProcessClient(ConversationService, rpc.conversation),
    feedback: createInProcessClient(FeedbackService, rpc.feedback),
    usage: createInProcessClient(UsageService, rpc.usage),
    admin: createInProcessClient(AdminService, rpc.admin),
  };
}

/** Returns the page of GET /metrics, for all processes that serve on this port. */
function metricsPage({ contentType, expose, collect }: Metrics, { link, log }: ServiceOptions): MetricsPage {
  if (link === undefined) return { contentType, expose };
  link.share(() =>
    collect().catch((error: unknown) => {
      log.error({ err: error }, "the metrics of this process cannot be told");
      return [];
    }),
  );
  return { contentType, expose: link.expose };
}
