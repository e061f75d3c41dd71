import { type Command, InvalidArgumentError } from "commander";

const HELP = `
The link is printed on standard output. It works once, for a day, ends the person's sessions when it is used, and replaces any
earlier one; Attune sends no mail. What stands behind the # is a secret: give it to nobody else. See docs/dashboard.md.`;

/** Adds `attune users list|reset`. */
export function addUsersCommand(program: Command): void {
  const users = program.command("users").description("help people who sign in to the dashboard");
  users
    .command("list")
    .description("list accounts with their projects and roles")
    .action(async () => {
      const { runUsersList } = await import("./run-users.ts");
      await runUsersList();
    });
  users
    .command("reset")
    .description("print a link through which someone who forgot the password chooses a new one")
    .argument("<email>", "e-mail address of the account")
    .option(
      "--url <url>",
      "address at which people reach this Attune, in place of the configured host and port",
      readUrl,
    )
    .addHelpText("after", HELP)
    .action(async (email: string, { url }: { url?: string }) => {
      const { runUsersReset } = await import("./run-users.ts");
      await runUsersReset(email, url);
    });
}

function readUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "") {
    return url.href.replace(/(?<!\/)\/+$/, "");
  }
  throw new InvalidArgumentError("must be an address such as https://attune.example.com");
}
