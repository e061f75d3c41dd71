import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { createContext } from "../access/context.ts";
import type { DashboardDependencies } from "../dependencies.ts";
import { EXPORT_TYPES, fileTime, readInput, refuse } from "../history/serve-export.ts";
import { dashboardRouter, type Procedures } from "../router.ts";
import { auditLines } from "./audit-lines.ts";

type PlanInput = Parameters<Procedures["auditLog"]["exportPlan"]>[0];

/**
 * Registers GET /audit-log: the entries of a project, the oldest first. The parameter `input` is that of a procedure,
 * and who may ask is what the procedure `exportPlan` says.
 */
export async function serveAuditExport(
  app: FastifyInstance,
  { dependencies }: { readonly dependencies: DashboardDependencies },
): Promise<void> {
  app.get("/audit-log", async (request, reply) => {
    try {
      const procedures = dashboardRouter.createCaller(createContext(dependencies, { req: request, res: reply }));
      const { filter, format } = await procedures.auditLog.exportPlan(readInput(request) as PlanInput);
      const lines = auditLines(dependencies.store.auditLog.export(filter), format);
      return await reply
        .type(EXPORT_TYPES[format])
        .header("content-disposition", `attachment; filename="attune-audit-log-${fileTime()}.${format}"`)
        .send(Readable.from(lines, { objectMode: false, highWaterMark: 2 ** 16 }));
    } catch (thrown) {
      return await refuse(dependencies, reply, thrown);
    }
  });
}
