import { type Command, InvalidArgumentError, Option } from "commander";
import { tagProblem } from "../hub/call-names.ts";
import { KEY_PERMISSIONS } from "../hub/key-permissions.ts";
import { hiddenCharacterProblem } from "../lib/hidden-characters.ts";
import type { RemoteOptions } from "./admin-client.ts";
import { addJsonList } from "./json-option.ts";
import type { KeyOptions, KeyUpdateOptions } from "./key-options.ts";
import { addLimitOptions, type LimitOptions } from "./quota-options.ts";
import { addRemoteOption, REMOTE_HELP } from "./remote-option.ts";

/** A hundred years: a time that every database can hold. */
const MAX_DAYS = 36_500;

/** The same as in the dashboard. */
const MAX_NAME_LENGTH = 100;

/** Most hours that a former secret works on. */
const MAX_OVERLAP_HOURS = 720;

const KEY_MEMBERS = [
  ...["id", "projectId", "name", "permissions", "tags", "limits"],
  ...["createdAt", "expiresAt", "revokedAt", "lastUsedAt"],
];

/** Adds `attune keys create|update|rotate|list|revoke`. */
export function addKeysCommand(program: Command): void {
  const keys = program.command("keys").description("manage API keys").addHelpText("after", REMOTE_HELP);
  addRemoteOption(addLimitOptions(addCreateOptions(keys.command("create")))).action(
    async (options: KeyOptions & LimitOptions & RemoteOptions) =>
      (await import("./run-keys.ts")).runKeysCreate(options),
  );
  addRemoteOption(addLimitOptions(addUpdateOptions(keys.command("update")))).action(
    async (id: string, options: KeyUpdateOptions & LimitOptions & RemoteOptions) =>
      (await import("./run-keys.ts")).runKeysUpdate(id, options),
  );
  addRemoteOption(
    keys
      .command("rotate")
      .description("give a key a new secret and show it once; the former one works on for a while")
      .argument("<id>", "public id of the key")
      .option("--overlap <hours>", "hours for which the former secret works on; 0 ends it now", readHours, 24),
  ).action(async (id: string, options: RemoteOptions & { overlap: number }) =>
    (await import("./run-keys.ts")).runKeysRotate(id, options),
  );
  const list = keys
    .command("list")
    .description("list keys by their public id")
    .option("--project <project>", "id or name of the project; all of them if absent");
  addRemoteOption(addJsonList(list, KEY_MEMBERS)).action(
    async (options: RemoteOptions & { project?: string; json?: true }) =>
      (await import("./run-keys.ts")).runKeysList(options),
  );
  addRemoteOption(
    keys
      .command("revoke")
      .description("revoke a key; it stops working within a second")
      .argument("<id>", "public id of the key: the part between att_ and the second underscore"),
  ).action(async (id: string, options: RemoteOptions) => (await import("./run-keys.ts")).runKeysRevoke(id, options));
}

function addCreateOptions(command: Command): Command {
  const may = "what it may do beside calling models, sending feedback and reading";
  return command
    .description("create a key and show it once")
    .option("-n, --name <name>", "what the key is for; no other key of the project that works has it", readName)
    .option("--expires <days>", "days after which it stops working", readDays)
    .option("--project <project>", "id or name of the project; the default one if absent")
    .addOption(new Option("--allow <permission...>", may).choices(KEY_PERMISSIONS))
    .option("--tag <name=value>", "tag of all its calls; several times", readTag);
}

function addUpdateOptions(command: Command): Command {
  const may = "all that it may do beside calling models, sending feedback and reading; none for nothing";
  return command
    .description("change a key; what is not named stays as it is")
    .argument("<id>", "public id of the key")
    .option("-n, --name <name>", "what the key is for", readName)
    .option("--expires <days>", "days from now after which it stops working; none for no end", readDaysOrNone)
    .addOption(new Option("--allow <permission...>", may).choices([...KEY_PERMISSIONS, "none"]))
    .option("--tag <name=value>", "all tags of its calls, several times; none for no tags", readTagOrNone);
}

type Tags = Readonly<Record<string, string>>;

function readTag(text: string, before: Tags = {}): Tags {
  const at = text.indexOf("=");
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  const problem = at < 1 ? "must be a name and a value, such as team=search" : tagProblem(name, value);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return { ...before, [name]: value };
}

function readTagOrNone(text: string, before: Tags | "none" = {}): Tags | "none" {
  return text === "none" || before === "none" ? "none" : readTag(text, before);
}

function readHours(text: string): number {
  const hours = Number(text);
  if (text.trim() !== "" && hours >= 0 && hours <= MAX_OVERLAP_HOURS) return hours;
  throw new InvalidArgumentError(`must be a number of hours from 0 to ${MAX_OVERLAP_HOURS}`);
}

function readDaysOrNone(text: string): number | "none" {
  return text === "none" ? text : readDays(text);
}

/** Reads a number of days. */
export function readDays(text: string): number {
  const days = Number(text);
  if (days > 0 && days <= MAX_DAYS) return days;
  throw new InvalidArgumentError(`must be a number of days above 0, and at most ${MAX_DAYS}`);
}

/** Reads a name for people. */
export function readName(text: string): string {
  const name = text.trim();
  if (name === "" || name.length > MAX_NAME_LENGTH) {
    throw new InvalidArgumentError(`must have 1 to ${MAX_NAME_LENGTH} characters`);
  }
  const problem = hiddenCharacterProblem(name);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return name;
}
