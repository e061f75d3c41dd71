import { type Command, InvalidArgumentError } from "commander";
import { createKey, type KeyInfo, listKeys, revokeKey } from "../store/keys/key-repository.ts";
import { fail, print, printTable } from "./output.ts";
import { withStore } from "./with-config.ts";

const DAY_MS = 86_400_000;

/** Adds `attune keys create|list|revoke`. */
export function addKeysCommand(program: Command): void {
  const keys = program.command("keys").description("manage API keys");
  keys
    .command("create")
    .description("create a key, and show it once")
    .option("-n, --name <name>", "what the key is for", "unnamed")
    .option("--expires <days>", "days after which it stops working", readDays)
    .action(async ({ name, expires }: { name: string; expires?: number }) => {
      await withStore(async (store) => {
        const expiresAt = expires === undefined ? undefined : new Date(Date.now() + expires * DAY_MS);
        const { key } = await createKey(store, { name, ...(expiresAt === undefined ? {} : { expiresAt }) });
        print(key);
        process.stderr.write("Keep it: it is not shown again.\n");
      });
    });
  keys
    .command("list")
    .description("list keys; what is shown of them is their public id")
    .action(() =>
      withStore(async (store) => {
        const rows = (await listKeys(store)).map(describe);
        printTable(["PUBLIC ID", "NAME", "STATE", "CREATED", "LAST USED"], rows);
      }),
    );
  keys
    .command("revoke")
    .description("revoke a key; it stops working within a second")
    .argument("<id>", "public id of the key: the part between att_ and the second underscore")
    .action((id: string) =>
      withStore(async (store) => {
        const publicId = /^att_([0-9a-z]{12})_/.exec(id)?.[1] ?? id;
        const revoked = await revokeKey(store, publicId);
        if (revoked === undefined) fail(`there is no key '${publicId}': 'attune keys list' lists them`);
        print(`revoked ${revoked.publicId} (${revoked.name})`);
      }),
    );
}

function readDays(text: string): number {
  const days = Number(text);
  if (!Number.isFinite(days) || days <= 0) throw new InvalidArgumentError("must be a number of days above 0");
  return days;
}

function describe(key: KeyInfo): string[] {
  return [key.publicId, key.name, stateOf(key), key.createdAt.toISOString(), key.lastUsedAt?.toISOString() ?? "never"];
}

function stateOf({ revokedAt, expiresAt }: KeyInfo): string {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`;
  if (expiresAt === null) return "active";
  return expiresAt.getTime() <= Date.now() ? "expired" : `active until ${expiresAt.toISOString()}`;
}
