import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { MemberRole } from "../../../gen/attune/admin/v1/member_pb.ts";
import type { Config } from "../../config/config.ts";
import { MEMBER_ROLES } from "../../operations/members.ts";
import { createAccounts } from "../../store/dashboard/accounts.ts";
import { createPasswordResets } from "../../store/dashboard/password-resets.ts";
import { createSetup } from "../../store/dashboard/setup.ts";
import { DEFAULT_PROJECT } from "../../store/entities/project.ts";
import { ROLES } from "../../vocabulary/roles.ts";
import { defineAdminCommand, readPages } from "../admin-client.ts";
import { argument, type CommandGroup, choice, defineCommand, option, required } from "../command.ts";
import { configuredUrl } from "../configured-url.ts";
import { json, PROJECT, readUrl, SERVICE_HELP } from "../options.ts";
import { fail, print, printJsonList, printTable, tell } from "../output.ts";
import { createOwner } from "../serve/create-owner.ts";
import { readConfig, withStore } from "../with-config.ts";

const HAS_ACCOUNT =
  "there is an account already: 'attune users list' lists them, 'attune users reset' helps if you forgot the password";

const OWNER_HELP = `
Without --email, the command prints a link through which the owner chooses both; it works once, for a day, and
replaces any earlier one. The part after the # is a secret. See docs/accounts.md.`;

const RESET_HELP = `
The link is printed on standard output. It works once, for a day, ends the person's sessions when it is used, and
replaces any earlier one; Attune sends no mail. The part after the # is a secret: share it only with that person. See
docs/accounts.md.`;

/** The address in links to the dashboard. */
const PUBLIC_URL = {
  publicUrl: option(
    "url",
    "public address of this Attune, instead of server.publicUrl or the configured host and port",
    readUrl,
  ),
};

/** `attune users`. */
export const users: CommandGroup = {
  commands: {
    list: defineAdminCommand({
      summary: "list accounts with their projects and roles",
      options: json("list", ["email", "createdAt", "projects"]),
      async run(admin, { json: isJson }) {
        const found = await readPages("users", (page) => admin.listUsers(page));
        const accounts = found.map(({ email, createdAt, projects }) => ({
          email,
          createdAt: createdAt === undefined ? null : timestampDate(createdAt),
          projects: projects.map(({ id, name, role }) => ({ id, name, role: toWord(role) })),
        }));
        if (isJson) return printJsonList(accounts);
        const rows = accounts.map(({ email, createdAt, projects }) => [
          email,
          createdAt?.toISOString() ?? "",
          projects.map(({ name, role }) => `${name} (${role})`).join(", ") || "none",
        ]);
        printTable(["E-MAIL", "CREATED", "PROJECTS"], rows);
      },
    }),

    "create-owner": defineCommand({
      summary: "create the first account of the dashboard, or print a link that creates it",
      options: {
        email: option("email", "email address of the account"),
        passwordFile: option("file", "file that has its password in one line; - is standard input"),
        ...PUBLIC_URL,
      },
      help: OWNER_HELP,
      findMistake: ({ email, passwordFile }) =>
        (email === undefined) === (passwordFile === undefined) ? undefined : "--email and --password-file go together",
      async run({ email, passwordFile, publicUrl }) {
        const config = readConfigWithDashboard();
        await withStore(async (store) => {
          if (email === undefined || passwordFile === undefined) {
            const secret = (await createSetup(store).newLink()) ?? fail(HAS_ACCOUNT);
            print(`${publicUrl ?? configuredUrl(config)}/dashboard/setup#token=${secret}`);
            tell("It works once, for a day, and isn't shown again.");
            return;
          }
          const names = { email: "--email", passwordFile: "--password-file" };
          const owner = (await createOwner(store, { email, passwordFile, names })) ?? fail(HAS_ACCOUNT);
          print(`made the account ${owner.email}, owner of ${DEFAULT_PROJECT.name}`);
        });
      },
    }),

    reset: defineCommand({
      summary: "print a link to reset the password of a user",
      arguments: { email: argument("email address of the account") },
      options: PUBLIC_URL,
      help: RESET_HELP,
      async run({ email, publicUrl }) {
        const config = readConfigWithDashboard();
        await withStore(async (store) => {
          const account = await createAccounts(store).findByEmail(email);
          if (account === undefined) fail(`there is no account '${email}': 'attune users list' lists them`);
          const { secret, expiresAt } = await createPasswordResets(store).createForAccount(account.id);
          print(`${publicUrl ?? configuredUrl(config)}/dashboard/reset#token=${secret}`);
          tell(`It works once, until ${expiresAt.toISOString()}, and isn't shown again.`);
        });
      },
    }),

    invite: defineAdminCommand({
      summary: "print an invite link for a project; it works once, for seven days",
      arguments: { email: argument("email address of the person") },
      options: { role: required(choice("role", "role in the project", ROLES)), ...PROJECT },
      help: SERVICE_HELP,
      examples: ["attune users invite ada@example.com --role developer --project search"],
      async run(admin, { email, role, project, url }) {
        const address = url ?? configuredUrl(readConfigWithDashboard());
        const { token } = await admin.createInvitation({ project, email, role: MEMBER_ROLES[role] });
        if (token === "") fail(`${email} is already invited: the link isn't shown again`);
        print(`${address}/dashboard/invitation#token=${token}`);
        tell("It works once, for seven days, and isn't shown again.");
      },
    }),

    "set-role": defineAdminCommand({
      summary: "give a member of a project another role",
      arguments: {
        member: argument("email address or id of the account"),
        role: required(choice("role", "role in the project", ROLES)),
      },
      options: PROJECT,
      help: SERVICE_HELP,
      async run(admin, { member, role, project }) {
        await admin.setMemberRole({ project, member, role: MEMBER_ROLES[role] });
        print(`${member} is ${role}`);
      },
    }),
  },
};

function toWord(role: MemberRole): string {
  return ROLES.find((known) => MEMBER_ROLES[known] === role) ?? "unknown";
}

function readConfigWithDashboard(): Config {
  const config = readConfig();
  if (!config.dashboard.enabled) fail("the dashboard is turned off: set dashboard.enabled to true");
  return config;
}
