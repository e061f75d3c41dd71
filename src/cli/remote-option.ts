import { type Command, InvalidArgumentError } from "commander";

/** The help of commands that work on a database or with a service. */
export const REMOTE_HELP = `
With --url the commands work with a service that runs, by the admin key in ATTUNE_ADMIN_KEY; without it, on the database
of the configuration.`;

/** Adds the option that names a service that runs. */
export function addRemoteOption(command: Command): Command {
  const meaning = "address of a service that runs; the admin key is read from ATTUNE_ADMIN_KEY";
  return command.option("--url <url>", meaning, readUrl);
}

/** Reads the address of a service, without a slash at its end. */
export function readUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "") {
    return url.href.replace(/(?<!\/)\/+$/, "");
  }
  throw new InvalidArgumentError("must be an address such as https://attune.example.com");
}
