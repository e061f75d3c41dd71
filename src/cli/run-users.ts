import type { Config } from "../config/config.ts";
import { createAccounts } from "../store/dashboard/accounts.ts";
import { createPasswordResets } from "../store/dashboard/password-resets.ts";
import { fail, print, printTable, tell } from "./output.ts";
import { readConfig, withStore } from "./with-config.ts";

/** Prints all accounts by their e-mail addresses. */
export async function runUsersList(): Promise<void> {
  await withStore(async (store) => {
    const accounts = await createAccounts(store).list();
    const rows = accounts.map(({ email, createdAt, projects }) => [
      email,
      createdAt.toISOString(),
      projects.map(({ name, role }) => `${name} (${role})`).join(", ") || "none",
    ]);
    printTable(["E-MAIL", "CREATED", "PROJECTS"], rows);
  });
}

/** Prints the link through which the person of an account chooses a new password; ends the command if there is none. */
export async function runUsersReset(email: string, url: string | undefined): Promise<void> {
  const config = readConfig();
  if (!config.dashboard.enabled) fail("the dashboard is turned off: set dashboard.enabled to true");
  await withStore(async (store) => {
    const account = await createAccounts(store).findByEmail(email);
    if (account === undefined) fail(`there is no account '${email}': 'attune users list' lists them`);
    const { secret, expiresAt } = await createPasswordResets(store).createForAccount(account.id);
    print(`${url ?? configuredUrl(config)}/dashboard/reset#token=${secret}`);
    tell(`It works once, until ${expiresAt.toISOString()}, and is not shown again.`);
  });
}

/** An address that stands for all of a machine leads nowhere: people on it reach it as localhost. */
function configuredUrl({ server: { host, port } }: Config): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
