import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs";
import { type Change, type Document, ItemKind } from "../../../gen/attune/admin/v1/document_pb.ts";
import { newToken } from "../../store/dashboard/tokens.ts";
import { generateKey, hashKey } from "../../store/keys/key-format.ts";

/** Secrets that nobody has but who runs the command. */
export interface NewSecrets {
  readonly keys: readonly {
    readonly project: string;
    readonly name: string;
    readonly id: string;
    readonly secret: string;
  }[];
  readonly invitations: readonly { readonly project: string; readonly email: string; readonly link: string }[];
}

const ENTRY = /^projects\[(\d+)\]\.(?:keys|members)\[(\d+)\]$/;

/** Makes the secrets that changes need, and puts their hashes into the document. Links begin with the address. */
export function makeSecrets(document: Document, changes: readonly Change[], address: string): NewSecrets {
  const secrets = { keys: [] as NewSecrets["keys"][number][], invitations: [] as NewSecrets["invitations"][number][] };
  for (const { kind, project, place } of changes.filter(({ needsHash }) => needsHash)) {
    const [, at, position] = ENTRY.exec(place) ?? [];
    const entries = document.projects[Number(at)];
    const [key, member] = [entries?.keys[Number(position)], entries?.members[Number(position)]];
    if (kind === ItemKind.KEY && key !== undefined) {
      const { key: secret, publicId: id } = key.id === "" ? generateKey() : generateKey(key.id);
      Object.assign(key, { id, hash: hashKey(secret) });
      secrets.keys.push({ project, name: key.name, id, secret });
    } else if (kind === ItemKind.MEMBER && member !== undefined) {
      const { secret, hash } = newToken();
      member.invitationHash = hash;
      secrets.invitations.push({
        project,
        email: member.email,
        link: `${address}/dashboard/invitation#token=${secret}`,
      });
    }
  }
  return secrets;
}

/** Only its owner reads a file of secrets. */
const MODE = 0o600;

/** Writes secrets to a file that must not exist, and waits until the disk has it. */
export function writeSecrets(file: string, secrets: NewSecrets): void {
  const opened = openSync(file, "wx", MODE);
  try {
    writeFileSync(opened, `${JSON.stringify(secrets, null, 2)}\n`);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
