import { Readable } from "node:stream";
import { TRPCError } from "@trpc/server";
import type { FastifyInstance } from "fastify";
import { createContext } from "../access/context.ts";
import type { DashboardDependencies } from "../dependencies.ts";
import { fileTime, readInput, refuse } from "../history/serve-export.ts";
import { dashboardRouter, type Procedures } from "../router.ts";
import { endUserLines } from "./end-user-lines.ts";

type PlanInput = Parameters<Procedures["endUsers"]["exportPlan"]>[0];

/**
 * Registers GET /end-user: all that is known of an end user. The parameter `input` is that of a procedure, and who may
 * ask is what the procedure `exportPlan` says. One runs at a time: each reads and decodes bodies without end.
 */
export async function serveEndUserExport(
  app: FastifyInstance,
  { dependencies }: { readonly dependencies: DashboardDependencies },
): Promise<void> {
  let isRunning = false;
  app.get("/end-user", async (request, reply) => {
    try {
      const context = createContext(dependencies, { req: request, res: reply });
      const user = await dashboardRouter.createCaller(context).endUsers.exportPlan(readInput(request) as PlanInput);
      const person = await context.browser.session();
      if (isRunning || person === undefined) {
        throw new TRPCError({ code: "TOO_MANY_REQUESTS", message: "another export is running: try again shortly" });
      }
      isRunning = true;
      const gone = new AbortController();
      const actor = { kind: "person", id: person.userId, label: person.email } as const;
      const { endUsers } = context.store.as({ ...context.browser.origin, actor });
      const lines = endUserLines(endUsers.export(user, gone.signal), dependencies.contents);
      const body = Readable.from(lines, { objectMode: false, highWaterMark: 2 ** 16 });
      body.once("close", () => {
        isRunning = false;
        gone.abort();
      });
      return await reply
        .type("application/jsonl; charset=utf-8")
        .header("content-disposition", `attachment; filename="attune-end-user-${fileTime()}.jsonl"`)
        .send(body);
    } catch (thrown) {
      return await refuse(dependencies, reply, thrown);
    }
  });
}
