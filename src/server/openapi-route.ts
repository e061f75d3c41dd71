import type { FastifyInstance } from "fastify";
import { lazyAsync } from "../lib/lazy-async.ts";

/** Adds GET /openapi.json. The document is made when it is first asked for. */
export function addOpenApiRoute(app: FastifyInstance): void {
  const document = lazyAsync(async () => (await import("../openapi/text.ts")).openApiText());
  app.get("/openapi.json", async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(await document.get()),
  );
}
