import { Readable } from "node:stream";
import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ZodError } from "zod";
import { exportInferences, exportRows } from "../../store/dashboard/export-inferences.ts";
import { createContext } from "../access/context.ts";
import type { DashboardDependencies } from "../dependencies.ts";
import { dashboardRouter, type Procedures } from "../router.ts";
import { exportCsv } from "./export-csv.ts";
import { exportLine } from "./export-line.ts";

/** Exports that run at a time. Each reads and decodes bodies without end. */
const AT_ONCE = 2;

/**
 * Registers GET /history: requests of a project as JSON lines or as CSV, the newest first, written as fast as they are
 * taken. The parameter `input` is that of a procedure, and who may ask is what the procedure `exportPlan` says.
 */
export async function serveExport(
  app: FastifyInstance,
  { dependencies }: { readonly dependencies: DashboardDependencies },
): Promise<void> {
  let running = 0;
  app.get("/history", async (request, reply) => {
    try {
      const { query, format } = await planExport(dependencies, request, reply);
      if (running >= AT_ONCE) throw busy(reply);
      running += 1;
      const lines = writeLines(dependencies, { query, format }, reply);
      const body = Readable.from(lines, { objectMode: false, highWaterMark: 2 ** 16 });
      body.once("close", () => {
        running -= 1;
      });
      return await reply
        .type(EXPORT_TYPES[format])
        .header("content-disposition", `attachment; filename="attune-requests-${fileTime()}.${format}"`)
        .send(body);
    } catch (thrown) {
      return await refuse(dependencies, reply, thrown);
    }
  });
}

/** Content types of exports by their format. */
export const EXPORT_TYPES = { jsonl: "application/jsonl; charset=utf-8", csv: "text/csv; charset=utf-8" } as const;

type ExportPlan = Awaited<ReturnType<Procedures["history"]["exportPlan"]>>;

async function planExport(
  dependencies: DashboardDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ExportPlan> {
  const procedures = dashboardRouter.createCaller(createContext(dependencies, { req: request, res: reply }));
  return await procedures.history.exportPlan(readInput(request) as PlanInput);
}

type PlanInput = Parameters<Procedures["history"]["exportPlan"]>[0];

/** Reads the input of a procedure, which checks what it is. */
export function readInput(request: FastifyRequest): unknown {
  const { input } = request.query as Readonly<Record<string, unknown>>;
  try {
    return JSON.parse(String(input));
  } catch {
    throw new TRPCError({ code: "BAD_REQUEST", message: "input: must be JSON" });
  }
}

/** A failure in the middle breaks the connection off, so that what is missing does not look like the end. */
async function* writeLines(
  { store, contents, log }: DashboardDependencies,
  { query, format }: ExportPlan,
  reply: FastifyReply,
): AsyncGenerator<string | Uint8Array> {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  try {
    if (format === "csv") return yield* exportCsv(exportRows(store.reads, query, gone.signal));
    for await (const inference of exportInferences(store.reads, query, gone.signal))
      yield* exportLine(inference, contents);
  } catch (error) {
    log.error({ err: error }, "an export failed");
    throw error;
  }
}

function busy(reply: FastifyReply): TRPCError {
  reply.header("retry-after", "10");
  return new TRPCError({ code: "TOO_MANY_REQUESTS", message: "other exports are running: try again shortly" });
}

/** Answers why there is no export. */
export async function refuse(
  { log }: DashboardDependencies,
  reply: FastifyReply,
  thrown: unknown,
): Promise<FastifyReply> {
  const error = thrown instanceof TRPCError ? thrown : new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: thrown });
  const { code, cause } = error;
  const isOurs = code === "INTERNAL_SERVER_ERROR";
  if (isOurs) log.error({ err: error }, "an export failed");
  const issues = cause instanceof ZodError ? cause.issues : [];
  const fields = issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  const message = isOurs ? "something went wrong inside Attune; its log says what" : fields || error.message;
  const status = getHTTPStatusCodeFromError(error);
  return await reply.code(status).send({ error: { message, data: { code, httpStatus: status } } });
}

/** Returns 2026-11-21T02-31-00: colons cannot stand in the name of a file everywhere. */
export function fileTime(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(":", "-");
}
