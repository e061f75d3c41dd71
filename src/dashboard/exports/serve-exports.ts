import { Readable } from "node:stream";
import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ZodError } from "zod";
import { encodeCsv } from "../../lib/csv.ts";
import type { AuditRecord } from "../../store/dashboard/audit-log.ts";
import { createContext, type DashboardContext } from "../access/context.ts";
import type { DashboardDependencies } from "../dependencies.ts";
import { datasetExport } from "../features/datasets/dataset-export.ts";
import { endUserLines } from "../features/end-users/end-user-lines.ts";
import { exportLine } from "../features/history/export-line.ts";
import { exportTable } from "../features/history/export-table.ts";
import { dashboardRouter, type Procedures } from "../router.ts";
import { EXPORT_TYPES, type Export } from "./export.ts";

const COLUMNS = [
  ...["sequence", "at", "actor_kind", "actor_id", "actor", "via", "address", "request_id", "project_id", "action"],
  ...["target_kind", "target_id", "target", "before", "after", "hash"],
];

const HEADING = encodeCsv(COLUMNS, []);

/** Requests of a project, the newest first. */
const historyExport: Export<Procedures["history"]["exportPlan"]> = {
  planner: (procedures) => procedures.history.exportPlan,
  file: ({ format }) => ({ name: "requests", format }),
  async *lines(query, { store: { requestExports }, contents }, signal) {
    if (query.format === "csv") return yield* exportTable(requestExports.facts(query, signal), "csv");
    for await (const inference of requestExports.whole(query, signal)) yield* exportLine(inference, contents);
  },
};

/** All that is known of an end user. */
const endUserExport: Export<Procedures["endUsers"]["exportPlan"]> = {
  planner: (procedures) => procedures.endUsers.exportPlan,
  file: () => ({ name: "end-user", format: "jsonl" }),
  lines: (user, { store, contents }, signal) => endUserLines(store.endUsers.export(user, signal), contents),
};

/** The entries of a project's audit log, the oldest first. */
const auditExport: Export<Procedures["auditLog"]["exportPlan"]> = {
  planner: (procedures) => procedures.auditLog.exportPlan,
  file: ({ format }) => ({ name: "audit-log", format }),
  lines: ({ filter, format }, { store }) => auditLines(store.auditLog.export(filter), format),
};

/** Exports of one kind that run at a time. Each reads without end, and most of them decode bodies. */
const AT_ONCE = 2;

/** Registers the exports. The parameter `input` of each is that of the procedure that plans it. */
export async function serveExports(
  app: FastifyInstance,
  { dependencies }: { readonly dependencies: DashboardDependencies },
): Promise<void> {
  function serve<Plan extends (input: never) => Promise<unknown>>(path: string, of: Export<Plan>): void {
    let running = 0;
    app.get(path, async (request, reply) => {
      try {
        const context = createContext(dependencies, { req: request, res: reply });
        const planner = of.planner(dashboardRouter.createCaller(context));
        const plan = (await planner(readInput(request) as never)) as Awaited<ReturnType<Plan>>;
        const store = await storeOfPerson(context);
        if (running >= AT_ONCE) throw busy(reply);
        running += 1;
        const gone = new AbortController();
        reply.raw.once("close", () => gone.abort());
        const body = Readable.from(watch(of.lines(plan, { ...dependencies, store }, gone.signal), dependencies), {
          objectMode: false,
          highWaterMark: 2 ** 16,
        });
        body.once("close", () => {
          running -= 1;
        });
        const { name, format } = of.file(plan);
        return await reply
          .type(EXPORT_TYPES[format])
          .header("content-disposition", `attachment; filename="attune-${name}-${fileTime()}.${format}"`)
          .send(body);
      } catch (thrown) {
        return await refuse(dependencies, reply, thrown);
      }
    });
  }
  serve("/history", historyExport);
  serve("/end-user", endUserExport);
  serve("/dataset", datasetExport);
  serve("/audit-log", auditExport);
}

/** Reads the input of a procedure, which checks what it is. */
function readInput(request: FastifyRequest): unknown {
  const { input } = request.query as Readonly<Record<string, unknown>>;
  try {
    return JSON.parse(String(input));
  } catch {
    throw new TRPCError({ code: "BAD_REQUEST", message: "input: must be JSON" });
  }
}

/** Returns the store for whom the audit log is to name: the planner has seen the person's session. */
async function storeOfPerson({ browser, store }: DashboardContext): Promise<DashboardContext["store"]> {
  const person = await browser.session();
  if (person === undefined) throw new TRPCError({ code: "UNAUTHORIZED", message: "you are not signed in" });
  const actor = { kind: "person", id: person.userId, label: person.email } as const;
  return store.as({ ...browser.origin, actor });
}

/** A failure in the middle breaks the connection off, so that what is missing does not look like the end. */
async function* watch(
  lines: AsyncIterable<string | Uint8Array>,
  { log }: DashboardDependencies,
): AsyncGenerator<string | Uint8Array> {
  try {
    yield* lines;
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
async function refuse({ log }: DashboardDependencies, reply: FastifyReply, thrown: unknown): Promise<FastifyReply> {
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
function fileTime(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(":", "-");
}

/** A form of an export. */
type AuditFormat = "jsonl" | "csv";

/** Writes entries as JSON, one a line, or as CSV of RFC 4180, in which before and after are JSON. */
async function* auditLines(entries: AsyncIterable<AuditRecord>, format: AuditFormat): AsyncGenerator<string> {
  if (format === "csv") yield HEADING;
  for await (const entry of entries) yield format === "csv" ? toCsv(entry) : `${JSON.stringify(entry)}\n`;
}

function toCsv({ actor, target, at, before, after, requestId, projectId, ...entry }: AuditRecord): string {
  const { sequence, via, address, action, hash } = entry;
  const row = {
    sequence,
    at: at.toISOString(),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor: actor.label,
    via,
    address,
    request_id: requestId,
    project_id: projectId,
    action,
    hash,
    target_kind: target.kind,
    target_id: target.id,
    target: target.name,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
  };
  return encodeCsv(COLUMNS, [row]).slice(HEADING.length);
}
