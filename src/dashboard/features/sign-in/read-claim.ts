import { isObject } from "../../../lib/is-object.ts";

type Claims = Readonly<Record<string, unknown>>;

/**
 * Returns the value of a claim by its name, or by a path into claims: `realm_access.roles`. Names may have dots
 * themselves (`https://example.com/groups`, `resource_access.my.client.roles`): the longest that fits goes first.
 */
export function readClaim(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  for (let at = path.lastIndexOf("."); at > 0; at = path.lastIndexOf(".", at - 1)) {
    const outer = path.slice(0, at);
    const inner = Object.hasOwn(claims, outer) ? claims[outer] : undefined;
    const found = isObject(inner) ? readClaim(inner, path.slice(at + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Tells whether the path of a claim leads through a value that has no claims in it, so that nobody knows the claim. */
export function isUnreadable(claims: Claims, path: string): boolean {
  for (let at = path.indexOf("."); at > 0; at = path.indexOf(".", at + 1)) {
    const inner = Object.hasOwn(claims, path.slice(0, at)) ? claims[path.slice(0, at)] : undefined;
    if (isObject(inner) ? isUnreadable(inner, path.slice(at + 1)) : inner != null) return true;
  }
  return false;
}

/**
 * Tells whether a claim was left out and stands elsewhere (OpenID Connect Core, 5.6.2), as groups of Entra ID beyond
 * 200.
 */
export function isElsewhere(claims: Claims, name: string): boolean {
  const hasGroups = claims["hasgroups"];
  return isNamedElsewhere(claims, name) || hasGroups === true || hasGroups === "true";
}

/** Tells whether a place is named for a claim, all of which stands there or what the token has no room for. */
export function isNamedElsewhere({ _claim_names: names }: Claims, name: string): boolean {
  return isObject(names) && Object.hasOwn(names, name);
}

/** The place of a claim that stands elsewhere. */
export interface ClaimSource {
  readonly endpoint: URL;
  /** Opens it; undefined: the access token of the sign-in does. */
  readonly accessToken: string | undefined;
}

/** Entra ID still names a service that is gone; Microsoft Graph answers for the person whose token it gets. */
const RETIRED_HOST = "graph.windows.net";
const GRAPH = "https://graph.microsoft.com/v1.0/me/getMemberObjects";

/** Returns where a claim stands; undefined where nothing says so. */
export function findSource(claims: Claims, name: string): ClaimSource | undefined {
  const { _claim_names: names, _claim_sources: sources } = claims;
  const key = isObject(names) ? names[name] : undefined;
  const source = isObject(sources) && typeof key === "string" ? sources[key] : undefined;
  const address = isObject(source) ? source["endpoint"] : undefined;
  if (!isObject(source) || typeof address !== "string" || !URL.canParse(address)) return undefined;
  const endpoint = new URL(address);
  const { access_token: token } = source;
  return {
    endpoint: endpoint.hostname === RETIRED_HOST ? new URL(GRAPH) : endpoint,
    accessToken: typeof token === "string" ? token : undefined,
  };
}
