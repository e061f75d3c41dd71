import { createReadStream } from "node:fs";
import type { Logger } from "pino";
import { email as emailField, newPassword } from "../../dashboard/access/fields.ts";
import { hashPassword } from "../../dashboard/access/password.ts";
import { type Account, createAccounts } from "../../store/dashboard/accounts.ts";
import { createSetup } from "../../store/dashboard/setup.ts";
import type { Store } from "../../store/types/store.ts";
import { fail } from "../output.ts";

/** More than any password has. */
const MAX_BYTES = 4096;

/** Sources of the email address and the password of the first account. */
interface OwnerSource {
  readonly email: string;
  /** File that has the password in one line; - is standard input. */
  readonly passwordFile: string;
  /** Names of both in messages. */
  readonly names: { readonly email: string; readonly passwordFile: string };
}

/**
 * Creates the first account, owner of the default project. Resolves to undefined if there is an account already; ends
 * the command where the address or the password is wrong.
 */
export async function createOwner(store: Store, owner: OwnerSource): Promise<Account | undefined> {
  if (!(await createAccounts(store).isEmpty())) return undefined;
  const { names } = owner;
  const email = emailField.safeParse(owner.email);
  if (!email.success) fail(`${names.email} ${email.error.issues[0]?.message}`);
  const password = newPassword.safeParse(await readPassword(owner));
  if (!password.success) fail(`${names.passwordFile}: the password ${password.error.issues[0]?.message}`);
  const passwordHash = await hashPassword(password.data);
  return await createSetup(store).createFirstOwner({ email: email.data, passwordHash });
}

/** Creates the first account that the environment names, as createOwner() does; nothing where it names none. */
export async function createConfiguredOwner(store: Store, environment: NodeJS.ProcessEnv, log: Logger): Promise<void> {
  const names = { email: "ATTUNE_OWNER_EMAIL", passwordFile: "ATTUNE_OWNER_PASSWORD_FILE" };
  const { [names.email]: email = "", [names.passwordFile]: passwordFile = "" } = environment;
  if (email === "" && passwordFile === "") return;
  if (email === "") fail(`${names.passwordFile} is set without ${names.email}: set both, or neither`);
  if (passwordFile === "") fail(`${names.email} is set without ${names.passwordFile}: set both, or neither`);
  const owner = await createOwner(store, { email, passwordFile, names });
  if (owner !== undefined) log.info("the first account of the dashboard was created for ATTUNE_OWNER_EMAIL");
}

async function readPassword({ passwordFile, names }: OwnerSource): Promise<string> {
  const bytes = await readBytes(passwordFile).catch((thrown: unknown) => {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : "an error";
    return fail(`${names.passwordFile}: '${passwordFile}' cannot be read (${code})`);
  });
  const text = bytes.toString("utf8").replace(/\r?\n$/, "");
  if (bytes.length > MAX_BYTES || /\p{Cc}/u.test(text) || text.includes("\ufffd")) {
    fail(`${names.passwordFile}: '${passwordFile}' must have one line of UTF-8 text, which is the password`);
  }
  return text;
}

/** Reads a file up to the chunk that passes MAX_BYTES. */
async function readBytes(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of file === "-" ? process.stdin : createReadStream(file)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BYTES) break;
  }
  return Buffer.concat(chunks);
}
