// Only for its types: it tells TypeScript what the plugin adds to requests and replies.
import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A request, its reply, and the site that their cookie is for. */
export interface CookieSite {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Address at which people reach the dashboard, if somebody has said so. */
  readonly publicUrl: string | undefined;
}

/**
 * Over https the name begins with `__Host-`: browsers then take the cookie only over https, for this host and every
 * path, so that no other host of the domain can put one in its place. Over http, as on localhost, they would refuse it.
 */
function nameFor(site: CookieSite): string {
  return isSecure(site) ? "__Host-attune_session" : "attune_session";
}

function attributesFor(site: CookieSite) {
  return { path: "/", httpOnly: true, sameSite: "strict", secure: isSecure(site) } as const;
}

/** A proxy that ends https may not say so. */
function isSecure({ request, publicUrl }: CookieSite): boolean {
  return request.protocol === "https" || publicUrl?.startsWith("https:") === true;
}

/** Returns the secret that the browser sent. */
export function readSessionCookie(site: CookieSite): string | undefined {
  return site.request.cookies[nameFor(site)];
}

/** Gives the browser a secret until it is closed or `maxAgeMs` have passed. */
export function setSessionCookie(site: CookieSite, secret: string, maxAgeMs: number): void {
  site.reply.setCookie(nameFor(site), secret, { ...attributesFor(site), maxAge: Math.floor(maxAgeMs / 1000) });
}

/** Has the browser forget its secret. */
export function clearSessionCookie(site: CookieSite): void {
  site.reply.clearCookie(nameFor(site), attributesFor(site));
}
