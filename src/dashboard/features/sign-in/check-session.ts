import { setTimeout as sleep } from "node:timers/promises";
import type { SessionProvider, SignedIn } from "../../../store/dashboard/sessions.ts";
import type { DashboardDependencies } from "../../dependencies.ts";
import { toGrants } from "./map-groups.ts";
import type { OidcProvider } from "./oidc-provider.ts";
import { toProviderError } from "./provider-error.ts";

/** The time for which a session without a refresh token goes on: then its person signs in again. */
const UNREFRESHED_MS = 3_600_000;
/** The time that one process has to ask the provider. */
const CLAIM_MS = 30_000;
const WAIT_MS = 5000;
const LOOK_EVERY_MS = 200;

type Ports = Pick<DashboardDependencies, "store" | "signIn" | "log">;
type ProviderSession = SignedIn & { readonly provider: SessionProvider };

/** Sessions that this process asks a provider about. */
const asking = new Map<string, Promise<SignedIn | undefined>>();

/**
 * Returns a session if its provider lets it go on, and has its person's roles follow their groups. The provider is
 * asked once in each `refreshMs`; while it cannot be reached, a session goes on for as long again. Sessions that began
 * by a password go on where passwords do.
 */
export async function checkSession(ports: Ports, session: SignedIn, secret: string): Promise<SignedIn | undefined> {
  if (session.provider === undefined) {
    return ports.signIn.required && !session.isFirstOwner ? await end(ports, session) : session;
  }
  const found = { ...session, provider: session.provider };
  const known = [...ports.signIn.providers].find(([, { settings }]) => settings.issuer === found.provider.issuer);
  if (known === undefined) return await end(ports, session);
  const ageMs = Date.now() - found.provider.checkedAtMs;
  if (found.provider.refreshToken === undefined) {
    return ageMs < Math.max(UNREFRESHED_MS, ports.signIn.refreshMs) ? session : await end(ports, session);
  }
  if (ageMs < ports.signIn.refreshMs) return session;
  const own = asking.get(session.sessionId) ?? askAlone(ports, { session: found, secret, known });
  asking.set(session.sessionId, own);
  return await own.finally(() => asking.delete(session.sessionId));
}

interface SessionQuestion {
  readonly session: ProviderSession;
  readonly secret: string;
  /** The provider by its name. */
  readonly known: readonly [string, OidcProvider];
}

async function askAlone(ports: Ports, request: SessionQuestion): Promise<SignedIn | undefined> {
  const { session, secret } = request;
  if (await ports.store.providerSignIns.claimRefresh(session.sessionId, CLAIM_MS)) return await ask(ports, request);
  if (isTolerated(ports, session)) return session;
  for (const end = performance.now() + WAIT_MS; performance.now() < end; await sleep(LOOK_EVERY_MS)) {
    const again = await ports.store.sessions.resume(secret);
    if (again?.provider === undefined) return undefined;
    if (Date.now() - again.provider.checkedAtMs < ports.signIn.refreshMs) return again;
  }
  return undefined;
}

async function ask(
  ports: Ports,
  { session, secret, known: [name, provider] }: SessionQuestion,
): Promise<SignedIn | undefined> {
  const { sessionId, userId } = session;
  const { subject, refreshToken = "", issuer } = session.provider;
  try {
    const { groups, refreshToken: next } = await provider.refresh(refreshToken, subject);
    const grants = toGrants({ provider: name, settings: { ...provider.settings, issuer } }, groups, ports.log);
    await ports.store.providerSignIns.refreshed({ sessionId, userId, secret, refreshToken: next, grants });
    return session;
  } catch (thrown) {
    const { kind, code } = toProviderError(thrown);
    ports.log.warn({ provider: name, code }, "a session could not be refreshed");
    if (kind === "refused") return await end(ports, session);
    return isTolerated(ports, session) ? session : undefined;
  }
}

/** Tells whether a session goes on without its provider's word. */
function isTolerated({ signIn }: Ports, { provider }: ProviderSession): boolean {
  return Date.now() - provider.checkedAtMs < 2 * signIn.refreshMs;
}

async function end({ store }: Ports, { userId, sessionId }: SignedIn): Promise<undefined> {
  await store.sessions.end(userId, sessionId);
}
