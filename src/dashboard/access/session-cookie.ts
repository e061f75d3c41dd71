// Only for its types: it tells TypeScript what the plugin adds to requests and replies.
import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Over https the name begins with `__Host-`: browsers then take the cookie only over https, for this host and every path, so
 * that no other host of the domain can put one in its place. Over http, as on localhost, they would refuse it.
 */
function nameFor(request: FastifyRequest): string {
  return request.protocol === "https" ? "__Host-attune_session" : "attune_session";
}

function attributesFor(request: FastifyRequest) {
  return { path: "/", httpOnly: true, sameSite: "strict", secure: request.protocol === "https" } as const;
}

/** Returns the secret that the browser sent. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  return request.cookies[nameFor(request)];
}

/** Gives the browser a secret until it is closed or `maxAgeMs` have passed. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, secret: string, maxAgeMs: number): void {
  reply.setCookie(nameFor(request), secret, { ...attributesFor(request), maxAge: Math.floor(maxAgeMs / 1000) });
}

/** Has the browser forget its secret. */
export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(nameFor(request), attributesFor(request));
}
