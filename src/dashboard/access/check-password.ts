import { TRPCError } from "@trpc/server";
import { type Account, normaliseEmail } from "../../store/dashboard/accounts.ts";
import type { Attempt } from "../../store/dashboard/sign-in-attempts.ts";
import type { DashboardContext } from "./context.ts";
import { BusyError, hashPassword, verifyPassword } from "./password.ts";

const BUSY_MS = 5000;

/** A try of a password on an account. */
interface PasswordTry {
  readonly email: string;
  /**
   * Tries through invitations are counted apart: whoever may invite an address must not use up those of its sign-in.
   */
  readonly through?: "invitation";
  readonly password: string;
  /** Hash to compare with; undefined if there is no such account. */
  readonly hash: string | undefined;
}

/**
 * Tells whether the password is right, counting the attempt first. Throws TOO_MANY_REQUESTS, with the time to come back
 * at, where there were too many.
 */
export async function checkPassword(
  context: DashboardContext,
  { password, hash, ...who }: PasswordTry,
): Promise<boolean> {
  const attempt = await countAttempt(context, who);
  const isRight = await unlessBusy(context, () => verifyPassword(password, hash));
  if (isRight) await context.store.attempts.forget(attempt);
  return isRight;
}

/**
 * Returns the hash of the password that an account may sign in with: none where it has none, and only the first owner's
 * where sign-in through a provider is required.
 */
export function getPasswordHash({ signIn }: Pick<DashboardContext, "signIn">, account: Account | undefined) {
  if (account === undefined || (signIn.required && !account.isFirstOwner)) return undefined;
  return account.passwordHash ?? undefined;
}

/** Throws FORBIDDEN where the person of an account signs in through a provider alone. */
export function checkPasswordsOn({ signIn }: Pick<DashboardContext, "signIn">, account?: Account): void {
  if (!signIn.required || account?.isFirstOwner) return;
  const message = "passwords are off: sign in through the provider, whose groups say where you belong";
  throw new TRPCError({ code: "FORBIDDEN", message });
}

/** Hashes a password that was chosen. */
export async function hashNewPassword(context: DashboardContext, password: string): Promise<string> {
  return await unlessBusy(context, () => hashPassword(password));
}

/** Counts a try before it is looked at. Throws TOO_MANY_REQUESTS, as checkPassword() does. */
export async function countAttempt(
  { browser, store }: DashboardContext,
  { email, through }: Pick<PasswordTry, "email" | "through">,
): Promise<Attempt> {
  const address = normaliseEmail(email);
  // No address has a space in it.
  const account = through === undefined ? address : `${through} ${address}`;
  const attempt = { account, address: browser.address };
  const waitMs = await store.attempts.count(attempt);
  if (waitMs === undefined) return attempt;
  browser.retryAfter(waitMs);
  const minutes = Math.ceil(waitMs / 60_000);
  const message = `too many attempts: try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}`;
  throw new TRPCError({ code: "TOO_MANY_REQUESTS", message });
}

async function unlessBusy<T>({ browser }: DashboardContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof BusyError)) throw thrown;
    browser.retryAfter(BUSY_MS);
    throw new TRPCError({
      code: "TOO_MANY_REQUESTS",
      message: "too many people are signing in right now: try again shortly",
    });
  }
}
