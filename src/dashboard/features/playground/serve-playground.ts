import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { stateByError } from "../../../lib/database-state.ts";
import { isUuid } from "../../../lib/ids.ts";
import { describeRefusal, includesPermission } from "../../../vocabulary/permissions.ts";
import { createContext } from "../../access/context.ts";
import { DATABASE_UNAVAILABLE } from "../../access/procedures.ts";
import type { DashboardDependencies } from "../../dependencies.ts";

/** Registers the public API in a scope. */
export type PublicApi = (scope: FastifyInstance) => Promise<void>;

/** The options of the playground. */
interface PlaygroundOptions {
  readonly dependencies: DashboardDependencies;
  readonly publicApi: PublicApi;
}

/**
 * Registers the public API once more, below the id of a project: the same routes, for who is signed in and is a member
 * of the project. Such a call is made in the name of the person's playground key.
 */
export async function servePlayground(app: FastifyInstance, options: PlaygroundOptions): Promise<void> {
  app.addHook("onRequest", (request, reply) =>
    admit(options.dependencies, request, reply).catch((thrown: unknown) => {
      if (stateByError(thrown) === undefined) throw thrown;
      return refuse(reply.header("retry-after", "1"), 503, DATABASE_UNAVAILABLE);
    }),
  );
  await app.register(options.publicApi, { prefix: "/:projectId" });
}

async function admit(
  dependencies: DashboardDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { store, issuePlaygroundKey } = dependencies;
  const user = await createContext(dependencies, { req: request, res: reply }).browser.session();
  if (user === undefined) return refuse(reply, 401, "you are not signed in");
  const { projectId = "" } = request.params as { readonly projectId?: string };
  const role = isUuid(projectId) ? await store.memberships.findRole(user.userId, projectId) : undefined;
  if (role === undefined) return refuse(reply, 404, "there is no such project");
  if (!includesPermission(role, "playground.call")) return refuse(reply, 403, describeRefusal(role, "playground.call"));
  const { keyId, isRevoked } = await store.playground.findOrCreateKey({
    projectId,
    userId: user.userId,
    email: user.email,
  });
  if (isRevoked) {
    return refuse(reply, 403, "your playground key was revoked: an owner of the project can allow it again");
  }
  const issued = issuePlaygroundKey({ keyId, projectId });
  reply.raw.once("close", () => issued.revoke());
  callAs(request, issued.secret);
  keepFromCaches(reply);
  return undefined;
}

/** The session is of no use to the API, and a key that came along must not speak for someone else. */
function callAs({ raw: { headers } }: FastifyRequest, secret: string): void {
  delete headers.cookie;
  delete headers["x-api-key"];
  headers.authorization = `Bearer ${secret}`;
}

/** Said of the raw answer, because streams are written past Fastify and its headers. */
function keepFromCaches({ raw }: FastifyReply): void {
  raw.setHeader("x-content-type-options", "nosniff");
  raw.setHeader("cross-origin-resource-policy", "same-origin");
}

/** In the form that all public formats share: an object `error` with a `message`. */
function refuse(reply: FastifyReply, status: 401 | 403 | 404 | 503, message: string): FastifyReply {
  return reply.code(status).send({ error: { type: "playground_error", message } });
}
