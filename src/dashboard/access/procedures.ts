import { initTRPC, type TRPCDefaultErrorShape, TRPCError } from "@trpc/server";
import { ZodError, z } from "zod";
import { InferenceError } from "../../hub/error.ts";
import { isBusy, isUnstorable, stateByError } from "../../lib/database-state.ts";
import { isUuid } from "../../lib/ids.ts";
import { type BoundOperations, bindOperations } from "../../operations/bind-operations.ts";
import { type AdminMethod, OPERATIONS, type Operation } from "../../operations/operations.ts";
import { QuotaError } from "../../store/types/quotas.ts";
import { describeRefusal, findAccess, includesPermission, type Permission } from "../../vocabulary/permissions.ts";
import type { Role } from "../../vocabulary/roles.ts";
import type { DashboardContext } from "./context.ts";
import { readFields, toProcedureError } from "./operation-errors.ts";

/** Facts of a procedure that are known before it runs. */
export interface ProcedureMeta {
  /** The operation that it does, which says who may. */
  readonly operation?: AdminMethod;
}

const trpc = initTRPC
  .meta<ProcedureMeta>()
  .context<DashboardContext>()
  .create({ errorFormatter: formatError, isDev: false, allowOutsideOfServer: false });

export const { router } = trpc;

/** Said where the database does not answer, in time or at all. */
export const DATABASE_UNAVAILABLE = "the database cannot be reached at the moment: try again shortly";

const DATABASE_BUSY = "others are changing the same at the moment, and nothing was changed: try again shortly";

/** Returns what people are told of a failure of the database; undefined where it is none that passes by itself. */
export function describeDatabase(error: unknown): string | undefined {
  if (isBusy(error)) return DATABASE_BUSY;
  return stateByError(error) === undefined ? undefined : DATABASE_UNAVAILABLE;
}

const UNSTORABLE = "a text has the character U+0000, which cannot be stored: take it out";

const RETRY_AFTER_MS = 1000;

/** A quota that leaves no room, or a database that is away, is no fault of the service's own. */
const procedure = trpc.procedure.use(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok || result.error.code !== "INTERNAL_SERVER_ERROR") return result;
  const { cause } = result.error;
  if (cause instanceof InferenceError) {
    const { retryAfterMs } = cause.facts;
    if (retryAfterMs !== undefined) ctx.browser.retryAfter(retryAfterMs);
    throw toProcedureError(cause) ?? result.error;
  }
  if (cause instanceof QuotaError) throw new TRPCError({ code: "CONFLICT", message: cause.message, cause });
  if (isUnstorable(cause)) throw new TRPCError({ code: "BAD_REQUEST", message: UNSTORABLE, cause });
  const message = describeDatabase(cause);
  if (message === undefined) return result;
  ctx.browser.retryAfter(RETRY_AFTER_MS);
  throw new TRPCError({ code: "SERVICE_UNAVAILABLE", message, cause });
});

/** A procedure that answers without a session: only what leads to one. */
export const publicProcedure = procedure.use(async ({ path, next }) => {
  if (findAccess(path) !== "public") throw forbidden(NO_ROW);
  return await next();
});

const signedInProcedure = procedure.use(async ({ ctx, next }) => {
  const user = await ctx.browser.session();
  if (user === undefined) throw new TRPCError({ code: "UNAUTHORIZED", message: "you are not signed in" });
  const actor = { kind: "person", id: user.userId, label: user.email } as const;
  const origin = { ...ctx.browser.origin, actor };
  const operateIn = ({ id: projectId, role }: { readonly id: string; readonly role: Role }) => {
    return bindOperations(ctx.operations, () => ({ actor: { ...actor, projectId, role }, origin }));
  };
  return await next({ ctx: { user, origin, store: ctx.store.as(origin), operateIn } });
});

/** A procedure for everyone who is signed in; it may tell people only of themselves. */
export const userProcedure = signedInProcedure.use(async ({ path, next }) => {
  if (findAccess(path) !== "user") throw forbidden(NO_ROW);
  return await next();
});

const projectId = z.string("must be the id of a project").refine(isUuid, "must be the id of a project");

/**
 * A procedure on one project, for members whose role has the permission that the table asks for. Strangers are told
 * that there is no such project.
 */
export const projectProcedure = signedInProcedure
  .input(z.object({ projectId }))
  .use(async ({ ctx, input, path, meta, next }) => {
    const role = await ctx.store.memberships.findRole(ctx.user.userId, input.projectId);
    if (role === undefined) throw new TRPCError({ code: "NOT_FOUND", message: "there is no such project" });
    const access = meta?.operation === undefined ? findAccess(path) : findPermission(meta.operation);
    if (access === undefined || access === "public" || access === "user") throw forbidden(NO_ROW);
    if (!includesPermission(role, access)) throw forbidden(describeRefusal(role, access));
    const store = ctx.store.as({ ...ctx.origin, queueOwner: input.projectId });
    return await next({ ctx: { role, store, operate: ctx.operateIn({ id: input.projectId, role }) } });
  });

/**
 * A procedure on one project that does an operation, for members with its permission; `ctx.operation` is the operation.
 */
export function operationProcedure<Method extends AdminMethod>(method: Method) {
  return projectProcedure.meta({ operation: method }).use(async ({ ctx, next }) => {
    const operation = ctx.operate[method].bind(ctx.operate) as BoundOperations[Method];
    return await next({ ctx: { operation } });
  });
}

/** Returns the permission that an operation takes of members; undefined if none of them may do it. */
export function findPermission(method: AdminMethod): Permission | undefined {
  const { permission }: Operation = OPERATIONS[method];
  return permission;
}

/** Said of a procedure that the table of permissions does not have as what it is. */
const NO_ROW = "nobody may call this: no row of the permissions names it";

/** Returns the refusal of a caller who may not. */
export function forbidden(message: string): TRPCError {
  return new TRPCError({ code: "FORBIDDEN", message });
}

/** A failure as the dashboard's pages get it. */
interface DashboardErrorShape extends TRPCDefaultErrorShape {
  readonly data: TRPCDefaultErrorShape["data"] & {
    /** The problem of each field of the input, by its path. */
    readonly fields?: Readonly<Record<string, string>> | undefined;
  };
}

/** Names the fields of a bad input; keeps what broke inside the service to its log. */
function formatError({ shape, error }: { shape: TRPCDefaultErrorShape; error: TRPCError }): DashboardErrorShape {
  const { stack: _stack, ...data } = shape.data;
  if (error.code === "INTERNAL_SERVER_ERROR") {
    return { ...shape, message: "something went wrong inside Attune; its log says what", data };
  }
  const { cause } = error;
  if (cause instanceof InferenceError) return { ...shape, data: { ...data, fields: readFields(cause) } };
  if (!(cause instanceof ZodError)) return { ...shape, data };
  const fields = Object.fromEntries(cause.issues.map(({ path, message }) => [path.join("."), message]));
  const message = Object.entries(fields).map(([field, text]) => (field === "" ? text : `${field}: ${text}`));
  return { ...shape, message: message.join("; "), data: { ...data, fields } };
}
