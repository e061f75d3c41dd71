import { z } from "zod";
import type { Signer } from "../../../lib/signer.ts";
import { type CookieSite, clearSiteCookie, readSiteCookie, setSiteCookie } from "../../access/session-cookie.ts";
import { dashboardPath } from "../../dashboard-path.ts";
import type { FlowChecks } from "./oidc-provider.ts";

/** A sign-in that has begun in a browser. */
export interface Flow extends FlowChecks {
  readonly provider: string;
  /** The path that it leads to. */
  readonly target: string;
}

const NAME = "attune_sign_in";
const FLOW_MS = 600_000;
const SIGNATURE_BYTES = 32;

/** The rest of a page's address after the dashboard's own, and nothing that makes it one of another host. */
const REST = /^(?:\/[\w\-./~%]*)?(?:\?[\w\-./~%&=+:]*)?$/;

/** Returns whether a sign-in may lead to a path: to a page of the dashboard. */
export function isTarget({ publicUrl }: Pick<CookieSite, "publicUrl">, path: string): boolean {
  const home = dashboardPath(publicUrl);
  return path.startsWith(home) && REST.test(path.slice(home.length));
}

const stored = z.object({
  provider: z.string(),
  target: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  expiresAt: z.number(),
});

/** Has the browser keep a sign-in for ten minutes; another one takes its place. */
export function setFlowCookie(site: CookieSite, signer: Signer, flow: Flow): void {
  const text = JSON.stringify({ ...flow, expiresAt: Date.now() + FLOW_MS });
  const payload = Buffer.from(text).toString("base64url");
  const value = `${payload}.${signer.sign(signedText(payload), SIGNATURE_BYTES).toString("base64url")}`;
  // Lax: the way back from the provider begins at another site.
  setSiteCookie(site, { name: NAME, value, maxAgeMs: FLOW_MS, sameSite: "lax" });
}

function signedText(payload: string) {
  return { purpose: "sign-in", label: NAME, payload };
}

/**
 * Takes the sign-in that the browser has begun, which is good once; undefined without one, and where somebody else has
 * written it: other hosts of a domain can write cookies of this one.
 */
export function takeFlow(site: CookieSite, signer: Signer): Flow | undefined {
  const value = readSiteCookie(site, NAME);
  if (value === undefined) return undefined;
  clearSiteCookie(site, NAME, "lax");
  const [payload = "", signature = ""] = value.split(".");
  if (!signer.verifies(Buffer.from(signature, "base64url"), signedText(payload), SIGNATURE_BYTES)) return undefined;
  try {
    const flow = stored.parse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
    // The address of the dashboard may have changed meanwhile.
    return flow.expiresAt > Date.now() && isTarget(site, flow.target) ? flow : undefined;
  } catch {
    return undefined;
  }
}
