import { decodeError } from "../facade/client/decode-error.ts";
import { ErrorReason } from "../hub/error.ts";
import { type AdminClient, readPages } from "./admin-client.ts";
import { argument } from "./command.ts";
import { toPublicId } from "./key-options.ts";
import { fail } from "./output.ts";

/** The argument of commands that work on one key. */
export const KEY = argument("name of a working key, or public id (see 'attune keys list')", toPublicId);

const PUBLIC_ID = /^[0-9a-z]{12}$/;

/** Finds the public id of a key that is given by its id or by its name; ends the command where a name has several. */
export async function findKeyId(admin: AdminClient, text: string): Promise<string> {
  // A name of this form never stands for another key than the one of this id.
  if (PUBLIC_ID.test(text)) return text;
  const unknown = `there is no key '${text}': 'attune keys list' lists them`;
  // An empty name stands for all keys there, of which one alone would be taken.
  if (text === "") fail("give the name or the public id of a key: 'attune keys list' lists them");
  const named = await readPages("keys", (page) => admin.listKeys({ name: text, ...page })).catch((thrown: unknown) =>
    // No key can have such a name. The service would name the field of its list, which here may be another option.
    decodeError(thrown).reason === ErrorReason.INVALID_REQUEST ? fail(unknown) : Promise.reject(thrown),
  );
  const now = Date.now();
  const working = named.filter(
    ({ revokedAt, expiresAt }) =>
      revokedAt === undefined && (expiresAt === undefined || Number(expiresAt.seconds) * 1000 > now),
  );
  if (working.length > 1) {
    const ids = working.map((key) => `${key.id} in project ${key.projectId}`).join(", ");
    fail(`${working.length} keys have the name '${text}': ${ids}; give the id of one`);
  }
  return working[0]?.id ?? fail(unknown);
}
