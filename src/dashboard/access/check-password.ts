import { TRPCError } from "@trpc/server";
import { normaliseEmail } from "../../store/dashboard/accounts.ts";
import type { DashboardContext } from "./context.ts";
import { BusyError } from "./gate.ts";
import { hashPassword, verifyPassword } from "./password.ts";

const BUSY_MS = 5000;

/** Who tries which password on which account. */
export interface PasswordTry {
  readonly email: string;
  readonly password: string;
  /** Hash to compare with; undefined if there is no such account. */
  readonly hash: string | undefined;
}

/**
 * Tells whether the password is right, counting the attempt first. Throws TOO_MANY_REQUESTS, with the time to come back at,
 * where there were too many.
 */
export async function checkPassword(
  context: DashboardContext,
  { email, password, hash }: PasswordTry,
): Promise<boolean> {
  const attempt = { account: normaliseEmail(email), address: context.browser.address };
  await countAttempt(context, attempt.account);
  const isRight = await unlessBusy(context, () => verifyPassword(password, hash));
  if (isRight) await context.store.attempts.forget(attempt);
  return isRight;
}

/** Hashes a password that was chosen. */
export async function hashNewPassword(context: DashboardContext, password: string): Promise<string> {
  return await unlessBusy(context, () => hashPassword(password));
}

async function countAttempt({ browser, store }: DashboardContext, account: string): Promise<void> {
  const waitMs = await store.attempts.count({ account, address: browser.address });
  if (waitMs === undefined) return;
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
      message: "too many people sign in at the moment: try again shortly",
    });
  }
}
