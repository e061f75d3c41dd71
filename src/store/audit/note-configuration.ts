import { createHmac, type KeyObject } from "node:crypto";
import { LockMode } from "@mikro-orm/core";
import { InstallationKey } from "../entities/installation-key.ts";
import { openInstallationKey } from "../keys/installation-key.ts";
import type { Store } from "../types/store.ts";
import { withinTransaction } from "../types/within-transaction.ts";
import { appendAuditEntry } from "./append-entry.ts";
import { CONFIGURED, readAuditEntries } from "./read-entries.ts";

const DIGEST_CHARACTERS = 16;

/** The configuration and version that a process serves by. */
interface Served {
  readonly version: string;
  /** The settings by their sections; may hold secrets. */
  readonly sections: Readonly<Record<string, unknown>>;
}

/**
 * Adds an entry to the audit log where the version or the settings are others than those of the latest entry. Sections
 * are digests by the key of the installation, from which no secret can be guessed.
 */
export async function noteConfiguration(store: Store, { version, sections }: Served): Promise<void> {
  const key = await openInstallationKey(store);
  const digests: Readonly<Record<string, string>> = Object.fromEntries(
    Object.entries(sections).flatMap(([name, value]) => (value === undefined ? [] : [[name, getDigest(value, key)]])),
  );
  const served = { version, sections: digests };
  if ((await changedSections(store, served)) === undefined) return;
  await store.unitOfWork(async (em) => {
    // Of several processes that begin at once the others wait here, and then find the first one's entry.
    await em.findOne(InstallationKey, 1, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const changed = await changedSections(withinTransaction(store, em), served);
    if (changed === undefined) return;
    appendAuditEntry(em, {
      ...store.origin,
      actor: { kind: "configuration", id: "", label: "configuration" },
      action: CONFIGURED,
      target: { kind: "installation", id: "", name: "" },
      // All of it, so that the next process has the whole to compare with.
      before: null,
      after: { version, changed, sections: digests },
    });
  });
}

/** Returns the names of sections that the latest entry has otherwise; undefined where it has all, and the version. */
async function changedSections(
  store: Store,
  { version, sections }: { readonly version: string; readonly sections: Readonly<Record<string, string>> },
): Promise<readonly string[] | undefined> {
  const [latest] = await readAuditEntries(store, { action: CONFIGURED, limit: 1 });
  const { version: lastVersion, sections: lastSections } = latest?.after ?? {};
  const last = isRecord(lastSections) ? lastSections : sections;
  const names = [...new Set([...Object.keys(last), ...Object.keys(sections)])];
  const changed = names.filter((name) => last[name] !== sections[name]).sort();
  return lastVersion === version && changed.length === 0 ? undefined : changed;
}

function getDigest(value: unknown, key: KeyObject): string {
  const text = `configuration\n${JSON.stringify(value)}`;
  return createHmac("sha256", key).update(text).digest("hex").slice(0, DIGEST_CHARACTERS);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
