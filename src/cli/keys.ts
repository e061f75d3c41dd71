import { type Command, InvalidArgumentError, Option } from "commander";
import { KEY_PERMISSIONS } from "../hub/key-permissions.ts";
import { hiddenCharacterProblem } from "../lib/hidden-characters.ts";
import type { KeyOptions } from "./key-options.ts";
import { addLimitOptions, type LimitOptions } from "./quota-options.ts";

/** A hundred years: a time that every database can hold. */
const MAX_DAYS = 36_500;

/** The same as in the dashboard. */
const MAX_NAME_LENGTH = 100;

/** Adds `attune keys create|update|list|revoke`. */
export function addKeysCommand(program: Command): void {
  const keys = program.command("keys").description("manage API keys");
  addLimitOptions(
    keys
      .command("create")
      .description("create a key and show it once")
      .option("-n, --name <name>", "what the key is for", readName, "unnamed")
      .option("--expires <days>", "days after which it stops working", readDays)
      .option("--project <project>", "id or name of the project; the default one if absent")
      .addOption(
        new Option(
          "--allow <permission...>",
          "what it may do beside calling models, sending feedback and reading",
        ).choices(KEY_PERMISSIONS),
      ),
  ).action(async (options: KeyOptions & LimitOptions) => {
    const { runKeysCreate } = await import("./run-keys.ts");
    await runKeysCreate(options);
  });
  addLimitOptions(
    keys
      .command("update")
      .description("set limits of a key; limits that are not named stay as they are")
      .argument("<id>", "public id of the key"),
  ).action(async (key: string, limits: LimitOptions) =>
    (await import("./run-quotas.ts")).runQuotasSet({ key }, limits),
  );
  keys
    .command("list")
    .description("list keys by their public id")
    .action(async () => {
      const { runKeysList } = await import("./run-keys.ts");
      await runKeysList();
    });
  keys
    .command("revoke")
    .description("revoke a key; it stops working within a second")
    .argument("<id>", "public id of the key: the part between att_ and the second underscore")
    .action(async (id: string) => {
      const { runKeysRevoke } = await import("./run-keys.ts");
      await runKeysRevoke(id);
    });
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
