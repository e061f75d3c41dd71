import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { QuotaError } from "../../../store/types/quotas.ts";
import { createContext } from "../../access/context.ts";
import type { CookieSite } from "../../access/session-cookie.ts";
import { dashboardPath } from "../../dashboard-path.ts";
import type { DashboardDependencies } from "../../dependencies.ts";
import { escapeHtml, renderPlainPage } from "../../pages/plain-page.ts";
import { type Flow, isTarget, setFlowCookie, takeFlow } from "./flow-cookie.ts";
import { toGrants } from "./map-groups.ts";
import type { OidcProvider } from "./oidc-provider.ts";
import { ProviderError, toProviderError } from "./provider-error.ts";

/** Requests that ask a provider at a time. */
const AT_ONCE = 20;
const LOGOUT_BYTES = 64 * 1024;

interface Route {
  readonly Params: { readonly name: string };
  readonly Querystring: { readonly to?: unknown };
  readonly Body: unknown;
}

/**
 * Registers the sign-in through providers, below /sign-in: people are sent to the provider and come back from it, so
 * none of it is bound to the dashboard's own pages; a cookie of the browser, `state` and `nonce` bind it instead.
 */
export async function serveSignIn(
  app: FastifyInstance,
  { dependencies }: { readonly dependencies: DashboardDependencies },
): Promise<void> {
  const { signIn } = dependencies;
  let running = 0;
  app.removeAllContentTypeParsers();
  const form = { parseAs: "string", bodyLimit: LOGOUT_BYTES } as const;
  app.addContentTypeParser("application/x-www-form-urlencoded", form, async (_request: FastifyRequest, body: string) =>
    new URLSearchParams(body).get("logout_token"),
  );
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("cache-control", "no-store");
  });
  /** Runs the handler of a provider's address, and answers its failures with a page. */
  const handle =
    (work: (at: At) => Promise<FastifyReply>) => async (request: FastifyRequest<Route>, reply: FastifyReply) => {
      const { name } = request.params;
      const provider = signIn.providers.get(name);
      if (provider === undefined)
        return await sendFailure({ dependencies, reply }, 404, "there is no such sign-in provider");
      if (running >= AT_ONCE)
        return await sendFailure(
          { dependencies, reply },
          429,
          "too many people are signing in right now: try again shortly",
        );
      running += 1;
      try {
        return await work({ dependencies, name, provider, request, reply });
      } catch (thrown) {
        return await answerFailure({ dependencies, name, provider, request, reply }, thrown);
      } finally {
        running -= 1;
      }
    };
  app.get<Route>("/:name/start", handle(start));
  app.get<Route>("/:name/callback", handle(finish));
  app.post<Route>("/:name/logout", handle(logOut));
}

/** A request to a provider's address. */
interface At {
  readonly dependencies: DashboardDependencies;
  readonly name: string;
  readonly provider: OidcProvider;
  readonly request: FastifyRequest<Route>;
  readonly reply: FastifyReply;
}

async function start(at: At): Promise<FastifyReply> {
  const { name, provider, request, reply } = at;
  const { to } = request.query;
  const site = cookieSite(at);
  const target = typeof to === "string" && isTarget(site, to) ? to : `${dashboardPath(site.publicUrl)}/`;
  const { url, ...checks } = await provider.begin(callbackUrl(at));
  setFlowCookie(site, at.dependencies.signIn.signer, { ...checks, provider: name, target });
  return await reply.redirect(url);
}

const STALE = "this sign-in started in another browser, or more than ten minutes ago: sign in again";

async function finish(at: At): Promise<FastifyReply> {
  const { dependencies, name, provider, request, reply } = at;
  const flow = takeFlow(cookieSite(at), dependencies.signIn.signer);
  if (flow === undefined || flow.provider !== name) throw new ProviderError("invalid", "no_flow", STALE);
  const callback = new URL(callbackUrl(at));
  callback.search = new URL(request.url, callback).search;
  const identity = await provider.finish(callback, flow);
  const { subject, verifiedEmail, refreshToken, providerSession, groups } = identity;
  const { settings } = provider;
  const { browser, store } = createContext(dependencies, { req: request, res: reply });
  const grants = toGrants({ provider: name, settings }, groups, request.log);
  const refusal = await browser.signInBy(({ address, userAgent }) =>
    store.providerSignIns.begin({
      subject,
      verifiedEmail,
      refreshToken,
      providerSession,
      grants,
      address,
      userAgent,
      linksAccounts: settings.linkAccounts,
    }),
  );
  if (refusal !== undefined) throw new ProviderError("refused", refusal, REFUSALS[refusal]);
  return await sendOn(reply, flow);
}

const REFUSALS = {
  "no-email": "the sign-in provider doesn't say that your email address is verified: ask its administrator",
  "account-exists":
    "an account with your email address exists, and isn't linked to the sign-in provider: sign in with " +
    "its password, or ask an administrator of Attune to allow linking",
};

async function logOut({ dependencies, name, provider, request, reply }: At): Promise<FastifyReply> {
  if (typeof request.body !== "string") throw new ProviderError("invalid", "no_token", "logout_token: is missing");
  const logout = await provider.readLogout(request.body);
  const { store } = createContext(dependencies, { req: request, res: reply });
  await store.providerSignIns.endByProvider({ provider: name, issuer: provider.settings.issuer, ...logout });
  return await reply.code(200).send();
}

function cookieSite({ dependencies: { publicUrl }, request, reply }: At): CookieSite {
  return { request, reply, publicUrl };
}

/** The provider knows the addresses that it may send people to, so a request cannot name another one. */
function callbackUrl({ dependencies: { publicUrl }, name, request }: At): string {
  return `${publicUrl ?? `${request.protocol}://${request.host}`}/dashboard/api/sign-in/${name}/callback`;
}

/** A redirect would still count as coming from the provider's site, and browsers would not send the session with it. */
async function sendOn(reply: FastifyReply, { target }: Flow): Promise<FastifyReply> {
  const nonce = allowStyle(reply);
  const address = escapeHtml(target);
  const head = `<meta http-equiv="refresh" content="0;url=${address}">`;
  const body = `<p><a href="${address}">Go on to the dashboard</a></p>`;
  return await sendPage(reply, 200, renderPlainPage({ title: "You are signed in", body, head, nonce }));
}

const STATUSES = { unavailable: 503, refused: 403, invalid: 400 } as const;

async function answerFailure(at: At, thrown: unknown): Promise<FastifyReply> {
  const { log } = at.dependencies;
  const { name } = at;
  if (thrown instanceof QuotaError) return await sendFailure(at, 409, thrown.message);
  if (!(thrown instanceof ProviderError)) {
    log.error({ err: thrown, provider: name }, "a sign-in failed");
    return await sendFailure(at, 500, "something went wrong inside Attune; its log says what");
  }
  const { kind, code, message } = toProviderError(thrown);
  log.warn({ provider: name, kind, code }, "a sign-in failed");
  return await sendFailure(at, STATUSES[kind], message);
}

async function sendFailure(
  { dependencies: { publicUrl }, reply }: Pick<At, "dependencies" | "reply">,
  status: number,
  message: string,
): Promise<FastifyReply> {
  const nonce = allowStyle(reply);
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  const body = `<p role="alert">${escapeHtml(text)}</p><p><a href="${dashboardPath(publicUrl)}/">Back to the sign-in page</a></p>`;
  return await sendPage(reply, status, renderPlainPage({ title: "You are not signed in", body, nonce }));
}

async function sendPage(reply: FastifyReply, status: number, page: string): Promise<FastifyReply> {
  return await reply.code(status).type("text/html; charset=utf-8").send(page);
}

/** Allows the style of a page of this answer, and nothing else. */
function allowStyle(reply: FastifyReply): string {
  const nonce = randomBytes(16).toString("base64");
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  reply.header("content-security-policy", policy);
  return nonce;
}
