import type { FastifyReply, FastifyRequest } from "fastify";
import { clientAddress } from "../../lib/client-address.ts";
import { type BegunSession, SESSION_LIMITS, type SignedIn } from "../../store/dashboard/sessions.ts";
import type { ChangeOrigin } from "../../vocabulary/change-origin.ts";
import type { DashboardDependencies } from "../dependencies.ts";
import { checkSession } from "../features/sign-in/check-session.ts";
import { clearSessionCookie, readSessionCookie, setSessionCookie } from "./session-cookie.ts";

/** The context of every procedure: the dashboard's dependencies, and the browser that asks. */
export interface DashboardContext extends DashboardDependencies {
  readonly browser: Browser;
}

/** The browser that asks. */
export interface Browser {
  /** Network address that it comes from. */
  readonly address: string;
  /** The origin of what it changes, until it is known who is signed in. */
  readonly origin: ChangeOrigin;
  /** The browser's `user-agent`. */
  readonly userAgent: string;
  /** Finds out who is signed in; the database is asked once for all procedures of a request. */
  session(): Promise<SignedIn | undefined>;
  /** Begins a session in this browser, in place of the one that it has. */
  signIn(userId: string): Promise<void>;
  /** Does so where a provider lets the person in; resolves to the reason where it does not. */
  signInBy<Refusal extends string>(
    begin: (facts: Pick<Browser, "address" | "userAgent">) => Promise<BegunSession | Refusal>,
  ): Promise<Refusal | undefined>;
  /** Does so for who knew the password of this hash; resolves to false where the account has another one by now. */
  signInByPassword(userId: string, passwordHash: string): Promise<boolean>;
  /** Ends the session of this browser. */
  signOut(): Promise<void>;
  /** Says when to come back. */
  retryAfter(delayMs: number): void;
}

/** Longest name of a browser that is kept. */
const MAX_USER_AGENT_LENGTH = 256;

const NOBODY = { kind: "person", id: "", label: "" } as const;

/** Browsers by their requests: who judges a request before its procedures do asks the database for them too. */
const browsers = new WeakMap<FastifyRequest, Browser>();

/** Creates the context of a request. */
export function createContext(
  dependencies: DashboardDependencies,
  { req, res }: { readonly req: FastifyRequest; readonly res: FastifyReply },
): DashboardContext {
  const browser = browsers.get(req) ?? createBrowser(dependencies, req, res);
  browsers.set(req, browser);
  return { ...dependencies, store: dependencies.store.as(browser.origin), browser };
}

function createBrowser(dependencies: DashboardDependencies, request: FastifyRequest, reply: FastifyReply): Browser {
  const { publicUrl } = dependencies;
  const site = { request, reply, publicUrl };
  const secret = readSessionCookie(site);
  const address = clientAddress(request);
  const origin = { actor: NOBODY, via: "dashboard", address, requestId: request.id } as const;
  const store = dependencies.store.as(origin);
  const userAgent = (request.headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT_LENGTH);
  let session: Promise<SignedIn | undefined> | undefined;
  const resume = async (secret: string) => {
    const found = await store.sessions.resume(secret);
    return found && (await checkSession({ ...dependencies, store }, found, secret));
  };
  const find = () => {
    session ??= secret === undefined ? Promise.resolve(undefined) : resume(secret);
    return session;
  };
  const end = async () => {
    const current = await find();
    if (current !== undefined) await store.sessions.end(current.userId, current.sessionId);
    session = Promise.resolve(undefined);
  };
  const keep = ({ secret }: BegunSession) => setSessionCookie(site, secret, SESSION_LIMITS.absoluteMs);
  return {
    address,
    origin,
    userAgent,
    session: find,
    async signIn(userId) {
      await end();
      keep(await store.sessions.begin({ userId, address, userAgent }));
    },
    async signInBy(begin) {
      await end();
      const begun = await begin({ address, userAgent });
      if (typeof begun === "string") return begun;
      keep(begun);
      return undefined;
    },
    async signInByPassword(userId, passwordHash) {
      await end();
      const begun = await store.sessions.beginByPassword({ userId, address, userAgent }, passwordHash);
      if (begun !== undefined) keep(begun);
      return begun !== undefined;
    },
    async signOut() {
      await end();
      clearSessionCookie(site);
    },
    retryAfter(delayMs) {
      reply.header("retry-after", String(Math.max(1, Math.ceil(delayMs / 1000))));
    },
  };
}
