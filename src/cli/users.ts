import { type Command, Option } from "commander";
import { ROLES, type Role } from "../hub/roles.ts";
import type { RemoteOptions } from "./admin-client.ts";
import { addJsonList, type JsonOptions } from "./json-option.ts";
import { addRemoteOption, REMOTE_HELP, readUrl } from "./remote-option.ts";
import type { MemberOptions, OwnerOptions } from "./run-users.ts";

const OWNER_HELP = `
Without --email, the command prints a link through which the owner chooses both; it works once, for a day, and
replaces any earlier one. What stands behind its # is a secret. See docs/dashboard.md.`;

const HELP = `
The link is printed on standard output. It works once, for a day, ends the person's sessions when it is used, and
replaces any earlier one; Attune sends no mail. The part after the # is a secret: share it only with that person. See
docs/dashboard.md.`;

/** Adds `attune users list|create-owner|reset|invite|set-role`. */
export function addUsersCommand(program: Command): void {
  const users = program.command("users").description("manage users of the dashboard");
  const list = users.command("list").description("list accounts with their projects and roles");
  addRemoteOption(addJsonList(list, ["email", "createdAt", "projects"])).action(
    async (options: RemoteOptions & JsonOptions) => (await import("./run-users.ts")).runUsersList(options),
  );
  users
    .command("create-owner")
    .description("make the first account of the dashboard, or print a link that makes it")
    .option("--email <email>", "e-mail address of the account")
    .option("--password-file <file>", "file that has its password in one line; - is standard input")
    .addOption(urlOption())
    .addHelpText("after", OWNER_HELP)
    .action(async (options: OwnerOptions, command: Command) => {
      if ((options.email === undefined) !== (options.passwordFile === undefined)) {
        command.error("error: --email and --password-file go together");
      }
      const { runUsersCreateOwner } = await import("./run-users.ts");
      await runUsersCreateOwner(options);
    });
  users
    .command("reset")
    .description("print a link to reset the password of a user")
    .argument("<email>", "e-mail address of the account")
    .addOption(urlOption())
    .addHelpText("after", HELP)
    .action(async (email: string, { url }: { url?: string }) => {
      const { runUsersReset } = await import("./run-users.ts");
      await runUsersReset(email, url);
    });
  addMemberCommands(users);
}

function addMemberCommands(users: Command): void {
  const invite = users
    .command("invite")
    .description("print a link that makes somebody a member of a project; it works once, for seven days")
    .argument("<email>", "e-mail address of the person")
    .addOption(new Option("--role <role>", "role in the project").choices(ROLES).makeOptionMandatory())
    .option("--project <project>", "id or name of the project; the default one if absent")
    .addHelpText("after", REMOTE_HELP);
  addRemoteOption(invite).action(async (email: string, options: MemberOptions & { role: Role }) =>
    (await import("./run-users.ts")).runUsersInvite(email, options),
  );
  const setRole = users
    .command("set-role")
    .description("give a member of a project another role")
    .argument("<member>", "e-mail address or id of the account")
    .addArgument(users.createArgument("<role>", "role in the project").choices(ROLES))
    .option("--project <project>", "id or name of the project; the default one if absent")
    .addHelpText("after", REMOTE_HELP);
  addRemoteOption(setRole).action(async (member: string, role: Role, options: MemberOptions) =>
    (await import("./run-users.ts")).runUsersSetRole({ member, role }, options),
  );
}

function urlOption(): Option {
  const meaning =
    "address at which people reach this Attune, in place of server.publicUrl or the configured host and port";
  return new Option("--url <url>", meaning).argParser(readUrl);
}
