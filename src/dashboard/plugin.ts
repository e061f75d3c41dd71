import { fastifyCookie } from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refuse } from "./access/refuse.ts";
import type { DashboardBuild } from "./build/dashboard-build.ts";
import { dashboardPath } from "./dashboard-path.ts";
import type { DashboardDependencies } from "./dependencies.ts";
import { serveExports } from "./exports/serve-exports.ts";
import { type PublicApi, servePlayground } from "./features/playground/serve-playground.ts";
import { serveSignIn } from "./features/sign-in/serve-sign-in.ts";
import { servePages } from "./pages/serve-pages.ts";
import { answerFailure, serveProcedures } from "./serve-procedures.ts";

/** The options of the dashboard's plugin. */
export interface DashboardOptions {
  readonly dependencies: DashboardDependencies;
  readonly build: DashboardBuild;
  /** The public API that the playground calls. */
  readonly publicApi: PublicApi;
}

/** Of every answer that says nothing else: it is no page, and nothing in it may be loaded, run or framed. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Registers the dashboard below the prefix that it is registered with: its pages, and its API at /api. */
export async function dashboard(app: FastifyInstance, options: DashboardOptions): Promise<void> {
  const { dependencies, build, publicApi } = options;
  app.addHook("onRequest", async (request, reply) => {
    reply
      .header("content-security-policy", POLICY)
      .header("x-content-type-options", "nosniff")
      .header("x-frame-options", "DENY")
      .header("referrer-policy", "no-referrer")
      .header("cross-origin-opener-policy", "same-origin")
      .header("cross-origin-resource-policy", "same-origin");
    // Before its body is read, which nobody would look at.
    return request.is404 ? await answerNothing(request, reply) : undefined;
  });
  app.setNotFoundHandler(answerNothing);
  await app.register(servePages, { build, path: dashboardPath(dependencies.publicUrl) });
  await app.register(fastifyCookie);
  await app.register(serveSignIn, { prefix: "/api/sign-in", dependencies });
  await app.register(serveApi, { prefix: "/api", dependencies, publicApi });
}

async function serveApi(app: FastifyInstance, options: Omit<DashboardOptions, "build">): Promise<void> {
  const { dependencies, publicApi } = options;
  app.addHook("onRequest", createOriginCheck(dependencies.publicUrl));
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("cache-control", "no-store");
  });
  app.setErrorHandler((thrown, _request, reply) => answerFailure(dependencies, thrown, reply));
  await app.register(servePlayground, { prefix: "/playground", dependencies, publicApi });
  await app.register(serveExports, { prefix: "/export", dependencies });
  await app.register(serveProcedures, { dependencies });
  app.all("/*", { onRequest: answerNothing }, answerNothing);
}

async function answerNothing(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return await refuse(reply, "NOT_FOUND", "there is nothing here");
}

/** Answers a request that is refused. */
type OriginCheck = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/** Creates the check of a dashboard that is at `publicUrl`, or where its requests say. */
function createOriginCheck(publicUrl: string | undefined): OriginCheck {
  const publicOrigin = publicUrl && new URL(publicUrl).origin;
  return (request, reply) => checkOrigin(request, reply, publicOrigin);
}

/**
 * Refuses what another site makes a browser send: a request that changes something has to come from the dashboard's own
 * pages, by the headers that browsers set and pages cannot, and has to be JSON, which no form can send. Answers 403 or
 * 415.
 */
async function checkOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  publicOrigin: string | undefined,
): Promise<FastifyReply | undefined> {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && !(site === "none" && request.method === "GET")) {
    return await refuse(reply, "FORBIDDEN", "this request comes from another site");
  }
  if (request.method === "GET") return undefined;
  const { origin } = request.headers;
  if (origin === undefined && site === undefined) {
    const message = "a request that changes something needs the header Origin or Sec-Fetch-Site";
    return await refuse(reply, "FORBIDDEN", message);
  }
  if (origin !== undefined && origin !== publicOrigin && parseHost(origin) !== request.host) {
    return await refuse(reply, "FORBIDDEN", "this request comes from another origin");
  }
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    return await refuse(reply, "UNSUPPORTED_MEDIA_TYPE", "the content type must be application/json");
  }
  return undefined;
}

/** The scheme is left out: a proxy that ends https may not say so. */
function parseHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
