// Only for its types: it tells TypeScript what the plugin adds to requests and replies.
import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { readBasePath } from "../../lib/base-path.ts";

/** A request, its reply, and the site that their cookie is for. */
export interface CookieSite {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Address at which people reach the dashboard, if somebody has said so. */
  readonly publicUrl: string | undefined;
}

type SameSite = "strict" | "lax";

const SESSION = "attune_session";

/**
 * Over https the name begins with `__Host-`: browsers then take the cookie only over https, for this host and every
 * path, so that no other host of the domain can put one in its place. Below a path they would refuse that, and over
 * http, as on localhost, any prefix.
 */
function nameFor(site: CookieSite, name: string): string {
  if (!isSecure(site)) return name;
  return readBasePath(site.publicUrl) === "" ? `__Host-${name}` : `__Secure-${name}`;
}

function attributesFor(site: CookieSite, sameSite: SameSite) {
  // Other services of the host are not sent it.
  const path = readBasePath(site.publicUrl) || "/";
  return { path, httpOnly: true, sameSite, secure: isSecure(site) } as const;
}

/** A proxy that ends https may not say so. */
function isSecure({ request, publicUrl }: CookieSite): boolean {
  return request.protocol === "https" || publicUrl?.startsWith("https:") === true;
}

/** Returns a secret that the browser sent. */
export function readSiteCookie(site: CookieSite, name: string): string | undefined {
  return site.request.cookies[nameFor(site, name)];
}

/** A cookie that scripts do not see. */
interface SiteCookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeMs: number;
  readonly sameSite: SameSite;
}

/** Gives the browser a secret until it is closed or `maxAgeMs` have passed. */
export function setSiteCookie(site: CookieSite, { name, value, maxAgeMs, sameSite }: SiteCookie): void {
  const attributes = { ...attributesFor(site, sameSite), maxAge: Math.floor(maxAgeMs / 1000) };
  site.reply.setCookie(nameFor(site, name), value, attributes);
}

/** Has the browser forget a secret. */
export function clearSiteCookie(site: CookieSite, name: string, sameSite: SameSite): void {
  site.reply.clearCookie(nameFor(site, name), attributesFor(site, sameSite));
}

/** Returns the secret of the session that the browser sent. */
export function readSessionCookie(site: CookieSite): string | undefined {
  return readSiteCookie(site, SESSION);
}

/** Gives the browser the secret of a session. */
export function setSessionCookie(site: CookieSite, value: string, maxAgeMs: number): void {
  setSiteCookie(site, { name: SESSION, value, maxAgeMs, sameSite: "strict" });
}

/** Has the browser forget the secret of its session. */
export function clearSessionCookie(site: CookieSite): void {
  clearSiteCookie(site, SESSION, "strict");
}
