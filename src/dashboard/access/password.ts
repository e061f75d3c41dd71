import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { Semaphore } from "../../lib/semaphore.ts";

/** The cost of a hash: the second recommendation of OWASP for Argon2id. Memory in KiB. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

/** Hashes at once. Each takes a thread of the pool that the rest of the process needs too. */
const AT_ONCE = 2;
/** Hashes that may wait; beyond that, callers are told to come back. */
const WAITING = 64;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const semaphore = new Semaphore(AT_ONCE, { max: WAITING });

/** Too many hashes wait. */
export class BusyError extends Error {
  override name = "BusyError";
}

interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** Hashes a password with Argon2id, in PHC string format. Rejects with BusyError when too many wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await derive(password, salt, COST);
  const cost = `m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`;
  return `$argon2id$v=19$${cost}$${base64(salt)}$${base64(tag)}`;
}

/** A hash that no password has: to check against it takes as long as against a real one. */
const NOBODY =
  `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}` +
  `$${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(TAG_BYTES))}`;

/**
 * Tells whether a password is the one of a hash. Without a hash it is not, and that takes as long: nobody can tell by
 * the time which accounts exist. Throws an Error for a text that is no such hash; rejects with BusyError when too many
 * wait.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(hash ?? NOBODY) ?? [];
  if (salt === undefined || tag === undefined)
    throw new Error("the password of this account is kept in an unknown form");
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const derived = await derive(password, Buffer.from(salt, "base64"), cost);
  return timingSafeEqual(derived, Buffer.from(tag, "base64")) && hash !== undefined;
}

/** Keyboards write the same character in several ways; the normal form makes them one. */
async function derive(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  const message = password.normalize("NFKC");
  if (!(await semaphore.acquire())) throw new BusyError("too many passwords are being hashed");
  try {
    return await promisify(argon2)("argon2id", { message, nonce, tagLength: TAG_BYTES, ...cost });
  } finally {
    semaphore.release();
  }
}

/** PHC strings leave the padding out. */
function base64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/={1,2}$/, "");
}
