import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { type AuditChange, appendAuditEntry } from "../../../src/store/audit/append-entry.ts";
import { countAuditEntries, cutAuditLog } from "../../../src/store/audit/cut-audit-log.ts";
import { readAllAuditEntries, readAuditEntries } from "../../../src/store/audit/read-entries.ts";
import { verifyAuditLog } from "../../../src/store/audit/verify-audit-log.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { Project } from "../../../src/store/entities/project.ts";
import type { Store } from "../../../src/store/types/store.ts";
import type { ChangeOrigin } from "../../../src/vocabulary/change-origin.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

const ORIGIN: ChangeOrigin = {
  actor: { kind: "person", id: "7", label: "ada@example.com" },
  via: "dashboard",
  address: "192.0.2.1",
  requestId: "req-1",
};

function rename(before: string, after: string): AuditChange {
  const target = { kind: "project", id: "p", name: after };
  return { projectId: "p", action: "projects.rename", target, before: { name: before }, after: { name: after } };
}

async function append(store: Store, ...changes: AuditChange[]): Promise<void> {
  await store.unitOfWork(async (em) => {
    for (const change of changes) appendAuditEntry(em, { ...ORIGIN, ...change });
  });
}

async function entriesOf(store: Store) {
  return await store.query().selectFrom("AuditEntry").selectAll().orderBy("sequence").execute();
}

describe.each(ENGINES)("the audit log on %s", (engine) => {
  const databases = useDatabases(engine);
  const open = async () => await openStore(await databases.newMigratedUrl());

  it("chains entries by SHA-256 over the hash before, a line feed, and their columns as JSON", async () => {
    const store = await open();
    await append(store, rename("a", "b"));
    const [entry] = await entriesOf(store);
    const columns = `[1,"${entry?.at.toISOString()}","person","7","ada@example.com","dashboard","192.0.2.1","req-1","p",`;
    const change = `"projects.rename","project","p","b","{\\"name\\":\\"a\\"}","{\\"name\\":\\"b\\"}"]`;
    const text = `${"0".repeat(64)}\n${columns}${change}`;
    expect(entry?.hash).toBe(createHash("sha256").update(text).digest("hex"));
    expect(await verifyAuditLog(store)).toEqual({ entries: 1, sequence: 1, hash: entry?.hash, problem: undefined });
    await store.close();
  });

  it("keeps the members that differ, and nothing where none does", async () => {
    const store = await open();
    const target = { kind: "quota", id: "q", name: "q" };
    const change = { action: "quotas.set", target } as const;
    await append(store, { ...change, before: { a: 1, b: [1] }, after: { a: 1, b: [2], c: 3 } });
    await append(store, { ...change, before: { a: 1 }, after: { a: 1 } });
    await append(store, { ...change, before: null, after: { text: "x".repeat(20_000) } });
    expect((await entriesOf(store)).map(({ before, after }) => [before, after])).toEqual([
      ['{"b":[1]}', '{"b":[2],"c":3}'],
      [null, expect.stringMatching(/^\{"omittedCharacters":20011,"sha256":"[0-9a-f]{64}"\}$/)],
    ]);
    await store.close();
  });

  it("adds nothing where the unit of work fails, and refuses an entity manager of none", async () => {
    const store = await open();
    const failing = store.unitOfWork(async (em) => {
      appendAuditEntry(em, { ...ORIGIN, ...rename("a", "b") });
      em.create(Project, { id: newId(), name: "default", createdAt: new Date() });
    });
    await expect(failing).rejects.toThrow();
    expect(await entriesOf(store)).toEqual([]);
    const outside = () => appendAuditEntry(store.fork(), { ...ORIGIN, ...rename("a", "b") });
    expect(outside).toThrow("needs the entity manager of a unit of work");
    await store.close();
  });

  it("numbers the entries of many writers at once without a gap", async () => {
    const url = await databases.newMigratedUrl();
    const stores = [await openStore(url), await openStore(url)];
    await Promise.all(
      stores.flatMap((store, index) =>
        Array.from({ length: 10 }, (_, n) => append(store, rename("a", `${index}-${n}`), rename("b", `${index}-${n}`))),
      ),
    );
    const [store] = stores;
    if (store === undefined) throw new Error("no store");
    expect((await entriesOf(store)).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 40 }, (_, n) => n + 1),
    );
    expect(await verifyAuditLog(store)).toMatchObject({ entries: 40, problem: undefined });
    for (const each of stores) await each.close();
  });

  it("is read by project, actor, action, area and time, in pages", async () => {
    const store = await open();
    const other: AuditChange = { ...rename("x", "y"), projectId: undefined, action: "projectSettings.set" };
    await append(store, rename("a", "b"), rename("b", "c"), other);
    const sequences = async (filter: Partial<Parameters<typeof readAuditEntries>[1]>) =>
      (await readAuditEntries(store, { limit: 10, ...filter })).map(({ sequence }) => sequence);
    expect(await sequences({})).toEqual([3, 2, 1]);
    expect(await sequences({ projectId: "p" })).toEqual([2, 1]);
    expect(await sequences({ actor: "ada@example.com", limit: 1 })).toEqual([3]);
    expect(await sequences({ actor: "7", before: 3, limit: 1 })).toEqual([2]);
    expect(await sequences({ actor: "eve" })).toEqual([]);
    expect(await sequences({ action: "projects" })).toEqual([2, 1]);
    expect(await sequences({ action: "projectSettings.set" })).toEqual([3]);
    expect(await sequences({ action: "%" })).toEqual([]);
    expect(await sequences({ from: new Date(Date.now() + 60_000) })).toEqual([]);
    expect(await sequences({ to: new Date(Date.now() + 60_000), after: 1 })).toEqual([2, 3]);
    const all = await Array.fromAsync(readAllAuditEntries(store, { projectId: "p" }));
    expect(all.map(({ before, after }) => [before, after])).toEqual([
      [{ name: "a" }, { name: "b" }],
      [{ name: "b" }, { name: "c" }],
    ]);
    await store.close();
  });

  it("holds after its oldest entries were cut", async () => {
    const store = await open();
    const { signal } = new AbortController();
    await append(store, rename("a", "b"), rename("b", "c"), rename("c", "d"));
    const old = new Date("2026-01-01T00:00:00Z");
    await store.query().updateTable("AuditEntry").set({ at: old }).where("sequence", "<", 3).execute();
    const cut = new Date("2026-06-01T00:00:00Z");
    expect(await countAuditEntries(store, cut)).toEqual({ expired: 2, total: 3 });
    expect([await cutAuditLog(store, cut, signal), await cutAuditLog(store, cut, signal)]).toEqual([2, 0]);
    expect(await verifyAuditLog(store)).toMatchObject({ entries: 1, sequence: 3, problem: undefined });
    await append(store, rename("d", "e"));
    expect(await cutAuditLog(store, new Date(Date.now() + 60_000), signal)).toBe(2);
    await append(store, rename("e", "f"));
    expect(await verifyAuditLog(store)).toMatchObject({ entries: 1, sequence: 5, problem: undefined });
    await store.close();
  });

  it("shows what was changed, deleted or cut off", async () => {
    const store = await open();
    await append(store, ...Array.from({ length: 5 }, (_, n) => rename(`${n}`, `${n + 1}`)));
    const entries = await entriesOf(store);
    const problem = async (harm: () => Promise<unknown>) => {
      await harm();
      const found = (await verifyAuditLog(store)).problem;
      await store.query().deleteFrom("AuditEntry").execute();
      await store.query().insertInto("AuditEntry").values(entries).execute();
      return found;
    };
    const update = (sequence: number, set: object) =>
      store.query().updateTable("AuditEntry").set(set).where("sequence", "=", sequence).execute();
    const remove = (sequence: number) =>
      store.query().deleteFrom("AuditEntry").where("sequence", "=", sequence).execute();
    expect(await problem(() => update(3, { actorLabel: "eve@example.com" }))).toContain("entry 3 was changed");
    expect(await problem(() => update(3, { hash: "f".repeat(64) }))).toContain("entry 3 was changed");
    expect(await problem(() => remove(1))).toBe("entry 1 is missing");
    expect(await problem(() => remove(4))).toBe("entry 4 is missing");
    expect(await problem(() => remove(5))).toBe("entry 5 is missing");
    expect(await problem(async () => {})).toBeUndefined();
    await store.query().deleteFrom("AuditChain").execute();
    expect((await verifyAuditLog(store)).problem).toBe("the head of the chain is missing");
    await store.close();
  });
});
