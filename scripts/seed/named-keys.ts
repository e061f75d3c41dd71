import { randomUUID } from "node:crypto";
import type { Store } from "../../src/store/types/store.ts";

/** The keys that made-up calls are made with; their names are those that people give. */
export const NAMED_KEYS: Readonly<Record<string, string>> = {
  supportprod1: "support (production)",
  searchprod01: "search (production)",
  codereview01: "code review",
  batchnight01: "nightly batch",
  developers01: "developers",
  evaluation01: "evaluation",
};

/** Returns the row of a key that nobody can call with: its hash is that of nothing. */
export function fakeKey(
  projectId: string,
  key: { readonly at: number; readonly publicId: string; readonly name: string },
) {
  const { at, publicId, name } = key;
  const tags = at % 2 === 0 ? { team: `team-${at % 40}`, env: "prod" } : null;
  const none = { tags, previousHash: null, previousExpiresAt: null, permissions: null, createdBy: null };
  const own = { id: randomUUID(), project: projectId, publicId, hash: `${at}`.padStart(64, "0"), name };
  return { ...own, ...none, createdAt: new Date(), expiresAt: null, revokedAt: null, lastUsedAt: null };
}

const DAY_MS = 86_400_000;

/** Adds the named keys to a project: made over the last year, and used today. */
export async function addNamedKeys(store: Store, projectId: string): Promise<void> {
  const rows = Object.entries(NAMED_KEYS).map(([publicId, name], at) => ({
    ...fakeKey(projectId, { at, publicId, name }),
    tags: { team: name.split(" ")[0] ?? "", env: name.includes("production") ? "prod" : "dev" },
    createdAt: new Date(Date.now() - (370 - 40 * at) * DAY_MS),
    lastUsedAt: new Date(Date.now() - (at + 1) * 60_000),
  }));
  await store.query().insertInto("ApiKey").values(rows).execute();
}
