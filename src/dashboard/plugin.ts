import { fastifyCookie } from "@fastify/cookie";
import { type CreateFastifyContextOptions, fastifyTRPCPlugin } from "@trpc/server/adapters/fastify";
import type { FastifyInstance } from "fastify";
import { checkOrigin } from "./access/check-origin.ts";
import { createContext } from "./access/context.ts";
import type { DashboardBuild } from "./build/dashboard-build.ts";
import type { DashboardDependencies } from "./dependencies.ts";
import { serveExport } from "./history/serve-export.ts";
import { servePages } from "./pages/serve-pages.ts";
import { type PublicApi, servePlayground } from "./playground/serve-playground.ts";
import { dashboardRouter } from "./router.ts";

/** What the plugin is made of. */
export interface DashboardOptions {
  readonly dependencies: DashboardDependencies;
  readonly build: DashboardBuild;
  /** What the playground calls. */
  readonly publicApi: PublicApi;
}

/** Most bytes of a request to the dashboard's API. */
const BODY_BYTES = 2 ** 20;

/** Registers the dashboard below the prefix that it is registered with: its pages, and its API at /api. */
export async function dashboard(app: FastifyInstance, options: DashboardOptions): Promise<void> {
  const { dependencies, build, publicApi } = options;
  app.addHook("onRequest", async (_request, reply) => {
    reply
      .header("x-content-type-options", "nosniff")
      .header("x-frame-options", "DENY")
      .header("referrer-policy", "no-referrer")
      .header("cross-origin-opener-policy", "same-origin")
      .header("cross-origin-resource-policy", "same-origin");
  });
  await app.register(servePages, { build });
  await app.register(serveApi, { prefix: "/api", dependencies, publicApi });
}

async function serveApi(app: FastifyInstance, options: Omit<DashboardOptions, "build">): Promise<void> {
  const { dependencies, publicApi } = options;
  await app.register(fastifyCookie);
  app.addHook("onRequest", checkOrigin);
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("cache-control", "no-store").header("content-security-policy", "default-src 'none'");
  });
  await app.register(servePlayground, { prefix: "/playground", dependencies, publicApi });
  await app.register(serveExport, { prefix: "/export", dependencies });
  await app.register(fastifyTRPCPlugin, {
    trpcOptions: {
      router: dashboardRouter,
      createContext: (at: CreateFastifyContextOptions) => createContext(dependencies, at),
      onError({ error, path }: { error: Error & { readonly code: string }; path: string | undefined }) {
        if (error.code === "INTERNAL_SERVER_ERROR")
          dependencies.log.error({ err: error, path }, "the dashboard failed");
      },
      maxBodySize: BODY_BYTES,
    },
  });
}
