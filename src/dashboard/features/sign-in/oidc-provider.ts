import type { JWTPayload } from "jose";
import type * as OpenIdClient from "openid-client";
import { isObject } from "../../../lib/is-object.ts";
import type { ProviderSettings } from "../../../vocabulary/sign-in-settings.ts";
import { type PersonGroups, readGroups, UNREAD_GROUPS } from "./map-groups.ts";
import { ProviderError, toProviderError } from "./provider-error.ts";
import { findSource, isElsewhere, isNamedElsewhere, isUnreadable, readClaim } from "./read-claim.ts";

/** The secrets of one sign-in, which only its browser has. */
export interface FlowChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** A person, as the provider tells of them. */
interface ProviderIdentity {
  readonly subject: string;
  /** Undefined where the provider tells none, or has not verified it. */
  readonly verifiedEmail: string | undefined;
  readonly groups: PersonGroups;
  /** Undefined where the provider gives none: the session then ends after a while. */
  readonly refreshToken: string | undefined;
  /** The provider's id of the session, which a logout may name. */
  readonly providerSession: string | undefined;
}

/** The session or the person that a provider signs out. */
interface Logout {
  readonly subject: string | undefined;
  readonly providerSession: string | undefined;
}

/** A provider of OpenID Connect. All throw ProviderError. */
export interface OidcProvider {
  readonly settings: ProviderSettings;
  /** Reads what the provider says of itself; rejects where it cannot be worked with. */
  discover(): Promise<unknown>;
  /** Returns the address that a person signs in at, with what the way back is checked by. */
  begin(redirectUri: string): Promise<FlowChecks & { readonly url: string }>;
  /** Takes the code of the way back for a person. */
  finish(callbackUrl: URL, checks: FlowChecks): Promise<ProviderIdentity>;
  /** Asks whether the person may go on, and what holds of them now. */
  refresh(refreshToken: string, subject: string): Promise<ProviderIdentity>;
  /** Reads a logout token of the back channel. */
  readLogout(token: string): Promise<Logout>;
}

const TIMEOUT_S = 10;
const DISCOVERED_MS = 3_600_000;
const LOGOUT_AGE = "10 min";
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

interface Discovered {
  readonly oidc: typeof OpenIdClient;
  readonly configuration: OpenIdClient.Configuration;
  /** Checks who signed a token for whom, and when. */
  readonly verify: (token: string, audience: string) => Promise<{ readonly payload: JWTPayload }>;
}

/** Creates a provider; nothing is loaded or asked before it is used. */
export function createOidcProvider(settings: ProviderSettings): OidcProvider {
  let known: { readonly atMs: number; readonly found: Promise<Discovered> } | undefined;
  const discover = (): Promise<Discovered> => {
    if (known !== undefined && Date.now() - known.atMs < DISCOVERED_MS) return known.found;
    const found = discoverProvider(settings);
    known = { atMs: Date.now(), found };
    // One that was away is asked anew at the next try.
    found.catch(() => {
      if (known?.found === found) known = undefined;
    });
    return found;
  };
  return {
    settings,
    discover: () => attempt(discover),
    begin: (redirectUri) => attempt(async () => await beginFlow(await discover(), settings, redirectUri)),
    finish: (callbackUrl, checks) =>
      attempt(async () => {
        const { oidc, configuration } = await discover();
        const tokens = await oidc.authorizationCodeGrant(configuration, callbackUrl, {
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.verifier,
          idTokenExpected: true,
        });
        return await readIdentity(oidc, { configuration, settings, tokens });
      }),
    refresh: (refreshToken, subject) =>
      attempt(async () => {
        const { oidc, configuration } = await discover();
        const tokens = await oidc.refreshTokenGrant(configuration, refreshToken);
        const identity = await readIdentity(oidc, { configuration, settings, tokens, expected: subject });
        return { ...identity, refreshToken: identity.refreshToken ?? refreshToken };
      }),
    readLogout: (token) => attempt(async () => await readLogout(await discover(), settings, token)),
  };
}

async function discoverProvider({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Discovered> {
  const [oidc, jose] = await Promise.all([import("openid-client"), import("jose")]);
  const authentication = clientSecret === undefined ? oidc.None() : authenticateBy(oidc, clientSecret);
  const isPlain = issuer.startsWith("http:");
  const options = { timeout: TIMEOUT_S, execute: isPlain ? [oidc.allowInsecureRequests] : [] };
  const configuration = await oidc.discovery(new URL(issuer), clientId, {}, authentication, options);
  configuration.timeout = TIMEOUT_S;
  const { jwks_uri } = configuration.serverMetadata();
  if (jwks_uri === undefined) throw new ProviderError("invalid", "no_keys", "the sign-in provider names no keys");
  const keys = jose.createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: TIMEOUT_S * 1000 });
  const verify = (token: string, audience: string) => {
    const { issuer: own } = configuration.serverMetadata();
    return jose.jwtVerify(token, keys, { issuer: own, audience, maxTokenAge: LOGOUT_AGE, clockTolerance: 30 });
  };
  return { oidc, configuration, verify };
}

/** Sends the secret in the header, or in the body where the provider takes it only there. */
function authenticateBy(oidc: typeof OpenIdClient, clientSecret: string): OpenIdClient.ClientAuth {
  const [inHeader, inBody] = [oidc.ClientSecretBasic(clientSecret), oidc.ClientSecretPost(clientSecret)];
  return (server, ...call) => {
    const { token_endpoint_auth_methods_supported: taken = ["client_secret_basic"] } = server;
    const send = taken.includes("client_secret_basic") ? inHeader : inBody;
    return send(server, ...call);
  };
}

async function beginFlow(
  { oidc, configuration }: Discovered,
  { scopes, prompt }: ProviderSettings,
  redirectUri: string,
) {
  const verifier = oidc.randomPKCECodeVerifier();
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: scopes.join(" "),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(prompt !== undefined && { prompt }),
  });
  return { state, nonce, verifier, url: url.href };
}

type Tokens = OpenIdClient.TokenEndpointResponse & OpenIdClient.TokenEndpointResponseHelpers;

interface IdentitySource {
  readonly configuration: OpenIdClient.Configuration;
  readonly settings: ProviderSettings;
  readonly tokens: Tokens;
  /** The person that it must be. */
  readonly expected?: string;
}

/** Reads a person from the ID token, and from the userinfo endpoint what is missing there. */
async function readIdentity(
  oidc: typeof OpenIdClient,
  { configuration, settings, tokens, expected }: IdentitySource,
): Promise<ProviderIdentity> {
  const idToken = tokens.claims();
  const subject = idToken?.sub ?? expected;
  if (subject === undefined || (expected !== undefined && subject !== expected)) {
    throw new ProviderError("refused", "subject_changed", "the sign-in provider names another person");
  }
  const isWhole = idToken?.["email"] !== undefined && readClaim(idToken, settings.groupsClaim) !== undefined;
  const asksMore = !isWhole && configuration.serverMetadata().userinfo_endpoint !== undefined;
  const userInfo = asksMore ? await oidc.fetchUserInfo(configuration, tokens.access_token, subject) : {};
  const claims: Readonly<Record<string, unknown>> = { ...idToken, ...userInfo };
  const { email, email_verified: isVerified } = claims;
  const sid = idToken?.["sid"];
  if ([subject, email, sid].some((claim) => typeof claim === "string" && claim.includes("\0"))) {
    throw new ProviderError("refused", "bad_claim", "the sign-in provider sent a claim with the character U+0000");
  }
  const isBelieved = settings.emailVerified === "always" || isVerified === true || isVerified === "true";
  return {
    subject,
    verifiedEmail: typeof email === "string" && isBelieved ? email : undefined,
    groups: await findGroups(oidc, claims, { configuration, settings, tokens }),
    refreshToken: tokens.refresh_token,
    providerSession: typeof sid === "string" ? sid : undefined,
  };
}

/** Reads the groups of a person, where they stand elsewhere from there. */
async function findGroups(
  oidc: typeof OpenIdClient,
  claims: Readonly<Record<string, unknown>>,
  { configuration, settings: { groupsClaim, issuer, scopes }, tokens }: IdentitySource,
): Promise<PersonGroups> {
  const claim = readClaim(claims, groupsClaim);
  if (claim === undefined && (isUnreadable(claims, groupsClaim) || isWithheld(tokens, scopes))) return UNREAD_GROUPS;
  const isLeftOut = claim === undefined || (Array.isArray(claim) && claim.length === 0);
  if (!isLeftOut) {
    const groups = readGroups(claim);
    return isNamedElsewhere(claims, groupsClaim) ? { ...groups, isWhole: false } : groups;
  }
  if (!isElsewhere(claims, groupsClaim)) return readGroups(claim);
  const source = findSource(claims, groupsClaim);
  if (source === undefined || (source.endpoint.protocol !== "https:" && !issuer.startsWith("http:")))
    return UNREAD_GROUPS;
  const { endpoint, accessToken = tokens.access_token } = source;
  const [method, body] = endpoint.pathname.endsWith("/getMemberObjects")
    ? (["POST", JSON.stringify({ securityEnabledOnly: false })] as const)
    : (["GET", undefined] as const);
  try {
    const headers = new Headers({ "content-type": "application/json" });
    const answer = await oidc.fetchProtectedResource(configuration, accessToken, endpoint, method, body, headers);
    const reply: unknown = await answer.json();
    if (!answer.ok || !isObject(reply)) return UNREAD_GROUPS;
    const found = readClaim(reply, groupsClaim) ?? reply["value"];
    if (found === undefined) return UNREAD_GROUPS;
    const groups = readGroups(found);
    // Further ones are on a page of their own.
    return reply["@odata.nextLink"] === undefined ? groups : { ...groups, isWhole: false };
  } catch {
    // Whoever may not read them there is told by the log that they cannot be read.
    return UNREAD_GROUPS;
  }
}

/** Scopes that name no groups, and that providers return under other names. */
const PERSONAL = new Set(["openid", "email", "profile", "offline_access", "address", "phone"]);

/**
 * Tells whether claims may be absent because they were withheld: a refresh need not bring an ID token (OpenID Connect
 * Core, 12.2), and a scope may be denied (RFC 6749, 5.1).
 */
function isWithheld(tokens: Tokens, scopes: readonly string[]): boolean {
  if (tokens.claims() === undefined) return true;
  if (tokens.scope === undefined) return false;
  const granted = tokens.scope.split(" ");
  // Entra ID returns the last part of a scope.
  const isGranted = (scope: string) => granted.some((name) => name === scope || scope.endsWith(`/${name}`));
  return scopes.some((scope) => !PERSONAL.has(scope) && !isGranted(scope));
}

async function readLogout({ verify }: Discovered, { clientId }: ProviderSettings, token: string): Promise<Logout> {
  const { payload } = await verify(token, clientId);
  const { sub: subject, sid, events, nonce } = payload;
  const isLogout = typeof events === "object" && events !== null && LOGOUT_EVENT in events && nonce === undefined;
  const providerSession = typeof sid === "string" ? sid : undefined;
  if (!isLogout || (subject === undefined && providerSession === undefined)) {
    throw new ProviderError("invalid", "no_logout_token", "this isn't a logout token");
  }
  return { subject, providerSession };
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw toProviderError(thrown);
  }
}
