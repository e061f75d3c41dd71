import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MemberRole } from "../../gen/attune/admin/v1/member_pb.ts";
import { MEMBER_ROLES } from "../administration/members.ts";
import type { Config } from "../config/config.ts";
import { ROLES, type Role } from "../hub/roles.ts";
import { createAccounts } from "../store/dashboard/accounts.ts";
import { createPasswordResets } from "../store/dashboard/password-resets.ts";
import { createSetup } from "../store/dashboard/setup.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import { type RemoteOptions, readPages, withAdmin } from "./admin-client.ts";
import { configuredUrl } from "./configured-url.ts";
import { createOwner } from "./create-owner.ts";
import type { JsonOptions } from "./json-option.ts";
import { fail, print, printJsonList, printTable, tell } from "./output.ts";
import { readConfig, withStore } from "./with-config.ts";

const HAS_ACCOUNT =
  "there is an account already: 'attune users list' lists them, 'attune users reset' helps who forgot the password";

/** Prints all accounts by their e-mail addresses. */
export async function runUsersList(options: RemoteOptions & JsonOptions): Promise<void> {
  await withAdmin(options, {}, async (admin) => {
    const accounts = await readPages(async (page) => {
      const { users: items, nextPageToken } = await admin.listUsers(page);
      return { items, nextPageToken };
    });
    const facts = accounts.map(({ email, createdAt, projects }) => ({
      ...{ email, createdAt: createdAt === undefined ? null : timestampDate(createdAt) },
      projects: projects.map(({ id, name, role }) => ({ id, name, role: wordOf(role) })),
    }));
    if (options.json) return printJsonList(facts);
    const rows = facts.map(({ email, createdAt, projects }) => [
      ...[email, createdAt?.toISOString() ?? ""],
      projects.map(({ name, role }) => `${name} (${role})`).join(", ") || "none",
    ]);
    printTable(["E-MAIL", "CREATED", "PROJECTS"], rows);
  });
}

function wordOf(role: MemberRole): string {
  return ROLES.find((known) => MEMBER_ROLES[known] === role) ?? "unknown";
}

/** Options of `attune users create-owner`. */
export interface OwnerOptions {
  readonly email?: string;
  readonly passwordFile?: string;
  readonly url?: string;
}

/** Makes the first account, or prints the link that makes it; ends the command if there is an account. */
export async function runUsersCreateOwner({ email, passwordFile, url }: OwnerOptions): Promise<void> {
  const config = readConfigWithDashboard();
  await withStore(async (store) => {
    if (email === undefined || passwordFile === undefined) {
      const secret = (await createSetup(store).newLink()) ?? fail(HAS_ACCOUNT);
      print(`${url ?? configuredUrl(config)}/dashboard/setup#token=${secret}`);
      tell("It works once, for a day, and is not shown again.");
      return;
    }
    const names = { email: "--email", passwordFile: "--password-file" };
    const owner = (await createOwner(store, { email, passwordFile, names })) ?? fail(HAS_ACCOUNT);
    print(`made the account ${owner.email}, owner of ${DEFAULT_PROJECT.name}`);
  });
}

/** Prints the link through which the person of an account chooses a new password; ends the command if there is none. */
export async function runUsersReset(email: string, url: string | undefined): Promise<void> {
  const config = readConfigWithDashboard();
  await withStore(async (store) => {
    const account = await createAccounts(store).findByEmail(email);
    if (account === undefined) fail(`there is no account '${email}': 'attune users list' lists them`);
    const { secret, expiresAt } = await createPasswordResets(store).createForAccount(account.id);
    print(`${url ?? configuredUrl(config)}/dashboard/reset#token=${secret}`);
    tell(`It works once, until ${expiresAt.toISOString()}, and is not shown again.`);
  });
}

/** Options of commands on members. */
export interface MemberOptions extends RemoteOptions {
  readonly project?: string;
}

/** Invites a person to a project, and prints the link; ends the command where that is refused. */
export async function runUsersInvite(email: string, options: MemberOptions & { readonly role: Role }): Promise<void> {
  const { role, url, project = DEFAULT_PROJECT.id } = options;
  const address = url ?? configuredUrl(readConfigWithDashboard());
  await withAdmin(options, { project }, async (admin) => {
    const { token } = await admin.createInvitation({ project, email, role: MEMBER_ROLES[role] });
    if (token === "") fail(`${email} is invited already: its link is not shown again`);
    print(`${address}/dashboard/invitation#token=${token}`);
    tell("It works once, for seven days, and is not shown again.");
  });
}

/** Gives a member another role, and prints it; ends the command where that is refused. */
export async function runUsersSetRole(
  { member, role }: { readonly member: string; readonly role: Role },
  { project = DEFAULT_PROJECT.id, ...options }: MemberOptions,
): Promise<void> {
  await withAdmin(options, { project, member }, async (admin) => {
    await admin.setMemberRole({ project, member, role: MEMBER_ROLES[role] });
    print(`${member} is ${role}`);
  });
}

function readConfigWithDashboard(): Config {
  const config = readConfig();
  if (!config.dashboard.enabled) fail("the dashboard is turned off: set dashboard.enabled to true");
  return config;
}
