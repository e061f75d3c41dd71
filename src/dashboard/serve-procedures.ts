import { type CreateFastifyContextOptions, fastifyRequestHandler } from "@trpc/server/adapters/fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createBodyReceiver, type RequestStream } from "../admission/receive-body.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { clientAddress } from "../lib/client-address.ts";
import { createContext } from "./access/context.ts";
import { describeDatabase } from "./access/procedures.ts";
import { refuse } from "./access/refuse.ts";
import type { DashboardDependencies } from "./dependencies.ts";
import { dashboardRouter, PUBLIC_PROCEDURES } from "./router.ts";

const KIB = 1024;

/** Most bytes of a request of someone who is signed in. */
const BODY_BYTES = 1024 * KIB;

/** Most bytes of a request that anyone may send: an address, a password, the secret of a link. */
const PUBLIC_BODY_BYTES = 64 * KIB;

/** Bodies of so many bytes, of whatever size each may be, come at a time; an eighth of them from one address. */
const RECEIVING_BYTES = 16 * 1024 * KIB;

/** Most procedures that one request calls. The pages call ten at most. */
const MAX_CALLS = 20;

/**
 * Registers the procedures, each below its path. What a procedure with a session is sent is read only once there is
 * one, and no body is read further than its limit.
 */
export async function serveProcedures(
  app: FastifyInstance,
  { dependencies }: { readonly dependencies: DashboardDependencies },
): Promise<void> {
  app.removeAllContentTypeParsers();
  const receivers = new Map(
    [BODY_BYTES, PUBLIC_BODY_BYTES].map((bodyBytes) => {
      const limits = { bodyBytes, receivingBytes: RECEIVING_BYTES, projectShare: 1 };
      return [bodyBytes, createBodyReceiver(limits)];
    }),
  );
  app.addContentTypeParser("application/json", async (request: FastifyRequest, payload: RequestStream) => {
    const receive = receivers.get(request.routeOptions.bodyLimit ?? 0);
    if (receive === undefined) throw new Error("the route has no limit for bodies");
    const body = await receive(payload, { keyId: clientAddress(request), projectId: "" }, { closing: request.raw });
    return body.toString("utf8");
  });
  const call = (path: string, request: FastifyRequest, reply: FastifyReply) =>
    fastifyRequestHandler({
      router: dashboardRouter,
      req: request,
      res: reply,
      path,
      createContext: (at: CreateFastifyContextOptions) => createContext(dependencies, at),
      maxBatchSize: MAX_CALLS,
      onError({ error, path: failed }) {
        if (error.code === "INTERNAL_SERVER_ERROR")
          dependencies.log.error({ err: error, path: failed }, "the dashboard failed");
      },
    });
  for (const procedure of PUBLIC_PROCEDURES) {
    app.post(`/${procedure}`, { bodyLimit: PUBLIC_BODY_BYTES }, (request, reply) => call(procedure, request, reply));
  }
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => await admit(dependencies, request, reply);
  app.route<{ Params: { path: string } }>({
    // Other methods do nothing here; tRPC would fail on some of them.
    method: ["GET", "POST"],
    url: "/:path",
    bodyLimit: BODY_BYTES,
    onRequest,
    // tRPC answers with a Response, which Fastify's own HEAD routes fail on.
    exposeHeadRoute: false,
    handler: (request, reply) => call(request.params.path, request, reply),
  });
}

/** Queries carry their input in the address, and each procedure judges for itself who asks. */
async function admit(
  dependencies: DashboardDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (request.method === "GET") return undefined;
  const user = await createContext(dependencies, { req: request, res: reply }).browser.session();
  return user === undefined ? await refuse(reply, "UNAUTHORIZED", "you are not signed in") : undefined;
}

/**
 * Answers what failed before or beside the procedures, in the form of their errors; what broke inside goes to the log.
 */
export async function answerFailure(
  { log }: DashboardDependencies,
  thrown: unknown,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const reason = thrown instanceof InferenceError ? thrown.reason : undefined;
  if (reason === ErrorReason.REQUEST_TOO_LARGE) {
    const limit = reply.request.routeOptions.bodyLimit ?? BODY_BYTES;
    const size = limit < BODY_BYTES ? `${limit / KIB} KiB` : `${limit / KIB / KIB} MiB`;
    return await refuse(reply, "PAYLOAD_TOO_LARGE", `the request is larger than ${size}`);
  }
  if (reason === ErrorReason.RATE_LIMITED || reason === ErrorReason.UNAVAILABLE) {
    const message = "too many requests are on their way in at the moment: try again shortly";
    return await refuse(reply.header("retry-after", "1"), "SERVICE_UNAVAILABLE", message);
  }
  const status = thrown instanceof Error && "statusCode" in thrown ? Number(thrown.statusCode) : 500;
  // It did not come, or came in too many pieces, or its sender has left.
  const isUnread = reason === ErrorReason.INVALID_REQUEST || reason === ErrorReason.CANCELED;
  if (isUnread || (status >= 400 && status < 500))
    return await refuse(reply, "BAD_REQUEST", "the request cannot be read");
  const problem = describeDatabase(thrown);
  if (problem !== undefined) return await refuse(reply.header("retry-after", "1"), "SERVICE_UNAVAILABLE", problem);
  log.error({ err: thrown }, "the dashboard failed");
  return await refuse(reply, "INTERNAL_SERVER_ERROR", "something went wrong inside Attune; its log says what");
}
