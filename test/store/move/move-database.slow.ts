import { readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseDatabaseUrl } from "../../../src/store/database/database-url.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { ENTITIES } from "../../../src/store/entities/index.ts";
import { createKey, revokeKey } from "../../../src/store/keys/key-repository.ts";
import { type MoveProgress, moveDatabase } from "../../../src/store/move/move-database.ts";
import { MoveError } from "../../../src/store/move/move-error.ts";
import type { Engine, Store } from "../../../src/store/types/store.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { fillDatabase, readDatabase } from "../../support/fill-database.ts";

/** More than one chunk of tables with keys of one column and of several, with blobs and without. */
const MANY: Readonly<Record<string, number>> = {
  inference: 603,
  inference_body: 501,
  usage_hour: 501,
  feedback_tag: 501,
};
const FEW = 3;

const PAIRS: readonly (readonly [Engine, Engine])[] = ENGINES.flatMap((from) =>
  ENGINES.map((to) => [from, to] as const),
);

async function withStore<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(url);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const read = (url: string) => withStore(url, readDatabase);

describe.each(PAIRS)("moveDatabase() from %s to %s", { timeout: 60_000 }, (fromEngine, toEngine) => {
  const sources = useDatabases(fromEngine);
  const targets = useDatabases(toEngine);

  async function filled(rowsOf: Readonly<Record<string, number>> = {}): Promise<string> {
    const from = await sources.newMigratedUrl();
    await withStore(from, (store) => fillDatabase(store, FEW, rowsOf));
    return from;
  }

  const failureOf = async (from: string, to: string, options = {}) => {
    const failure = await moveDatabase({ from, to, ...options }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MoveError);
    return (failure as MoveError).message;
  };

  it("copies every row of every entity, and tells how far it is", async () => {
    const [from, to] = [await filled(MANY), targets.newUrl()];
    const steps: MoveProgress[] = [];
    const moved = await moveDatabase({ from, to, onProgress: (progress) => steps.push(progress) });
    expect(moved.map(({ table }) => table).sort()).toEqual(ENTITIES.map(({ meta }) => meta.tableName).sort());
    // The default project is there too.
    expect(moved).toEqual(
      moved.map(({ table }) => ({ table, rows: table === "project" ? FEW + 1 : (MANY[table] ?? FEW) })),
    );
    expect(await read(to)).toEqual(await read(from));
    const inference = steps.filter(({ table, step }) => table === "inference" && step === "copy");
    expect(inference.map(({ rows }) => rows)).toEqual([0, 500, 603]);
    expect(new Set(inference.map(({ totalRows }) => totalRows))).toEqual(new Set([603]));
  });

  it("goes on after an interruption, wherever that was, and doubles nothing when it is run once more", async () => {
    const [from, to] = [await filled(MANY), await targets.newMigratedUrl()];
    for (const stopIn of ["api_key", "inference_body", "usage_hour"]) {
      const onProgress = ({ step, table, rows }: MoveProgress) => {
        if (step === "copy" && table === stopIn && rows > 0) throw new Error(`interrupted in ${table}`);
      };
      await expect(moveDatabase({ from, to, onProgress })).rejects.toThrow(`interrupted in ${stopIn}`);
    }
    await moveDatabase({ from, to });
    await moveDatabase({ from, to });
    expect(await read(to)).toEqual(await read(from));
  });

  it("refuses a target with rows of its own, names them, and copies nothing", async () => {
    const [from, to] = [await filled(), await targets.newMigratedUrl()];
    const { info } = await withStore(to, (store) => createKey(store, { name: "own" }));
    const before = await read(to);
    expect(await failureOf(from, to, { overwrite: true })).toBe(
      `--to: the target isn't a copy of the source; nothing was copied\n` +
        `  api_key: 1 rows that the source does not have, 0 with other values; ${info.id} is not in the source\n` +
        "  audit_entry: 1 rows that the source does not have, 0 with other values; 1 is not in the source\n" +
        "  audit_chain: 1 rows that the source does not have, 0 with other values; 1 is not in the source\n" +
        "move into an empty database, or into one that an earlier move of this source began",
    );
    expect(await read(to)).toEqual(before);
  });

  it("refuses rows that changed since they were moved, and takes the source's values where it is told to", async () => {
    const [from, to] = [await sources.newMigratedUrl(), await targets.newMigratedUrl()];
    const { info } = await withStore(from, (store) => createKey(store, { name: "moved" }));
    await moveDatabase({ from, to });
    await withStore(from, (store) => revokeKey(store, info.publicId));
    expect(await failureOf(from, to)).toBe(
      `--to: the target isn't a copy of the source; nothing was copied\n` +
        `  api_key: 0 rows that the source does not have, 1 with other values; ${info.id} differs in revoked_at\n` +
        "  audit_chain: 0 rows that the source does not have, 1 with other values; 1 differs in sequence, hash\n" +
        "if the source was in use since an earlier move, --overwrite takes its values",
    );
    await moveDatabase({ from, to, overwrite: true });
    expect(await read(to)).toEqual(await read(from));
  });

  it("refuses a source of a newer version, of an older one, and one without Attune", async () => {
    const [newer, older] = [await sources.newMigratedUrl(), await sources.newMigratedUrl()];
    const to = targets.newUrl();
    await withStore(newer, async (store) => {
      const insert = "insert into mikro_orm_migrations (name) values ('Migration20990101000000_later')";
      await store.fork().getConnection().execute(insert);
    });
    await withStore(older, async (store) => {
      const last = "(select max(name) from mikro_orm_migrations)";
      await store.fork().getConnection().execute(`delete from mikro_orm_migrations where name = ${last}`);
    });
    const empty = await sources.newMigratedUrl();
    await withStore(empty, (store) => store.fork().getConnection().execute("drop table mikro_orm_migrations"));
    expect(await failureOf(empty, to)).toMatch(/^--from: there is no Attune in this database \(.*mikro_orm_migrations/);
    expect(await failureOf(newer, to)).toMatch(/^--from: the database was migrated by a newer Attune/);
    expect(await failureOf(older, to)).toBe("--from: the database lacks 1 migration(s): run 'attune migrate'");
  });
});

describe.each(ENGINES)("moveDatabase() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("refuses to move a database to itself, by whatever name", async () => {
    const url = await databases.newMigratedUrl();
    const other = engine === "sqlite" ? url.replace("sqlite:", "sqlite://") : url.replace("127.0.0.1", "localhost");
    for (const to of [url, other]) {
      await expect(moveDatabase({ from: url, to })).rejects.toThrow("--to: this is the same database as --from");
    }
  });
});

describe("moveDatabase() on files", () => {
  const databases = useDatabases("sqlite");
  const fileOf = (url: string) => (parseDatabaseUrl(url) as { file: string }).file;

  it("leaves every byte of the source as it is", async () => {
    const from = databases.newUrl();
    await withStore(from, (store) => fillDatabase(store, 50));
    const [bytes, { mtimeMs }] = [readFileSync(fileOf(from)), statSync(fileOf(from))];
    await moveDatabase({ from, to: databases.newUrl() });
    expect(readFileSync(fileOf(from)).equals(bytes)).toBe(true);
    expect(statSync(fileOf(from)).mtimeMs).toBe(mtimeMs);
  });

  it("lets others write to the source, and moves what was there at the beginning", async () => {
    const [from, to] = [databases.newUrl(), databases.newUrl()];
    await withStore(from, (store) => fillDatabase(store, 50));
    const writer = await openStore(from);
    let written: Promise<unknown> | undefined;
    const moved = await moveDatabase({
      from,
      to,
      onProgress() {
        written ??= createKey(writer, { name: "meanwhile" });
      },
    });
    await written;
    await writer.close();
    expect(moved.find(({ table }) => table === "api_key")).toEqual({ table: "api_key", rows: 50 });
    expect((await read(from))["api_key"]).toHaveLength(51);
  });

  it("has no more in memory than a chunk of large bodies", async () => {
    const [from, to] = [databases.newUrl(), databases.newUrl()];
    await withStore(from, async (store) => {
      for (let index = 0; index < 60; index += 1) {
        const id = `01900000-0000-7000-8000-${String(index).padStart(12, "0")}`;
        const bytes = { request: Buffer.alloc(1024 * 1024, index), response: Buffer.alloc(1) };
        const body = { id, projectId: id, prompt: "", answer: "", ...bytes };
        await store.query().insertInto("InferenceBody").values(body).execute();
      }
    });
    const steps: number[] = [];
    await moveDatabase({
      from,
      to,
      onProgress({ table, rows }) {
        if (table === "inference_body" && rows > 0) steps.push(rows);
      },
    });
    expect(steps).toEqual([7, 14, 21, 28, 35, 42, 49, 56, 60]);
  });

  it.each([
    ["sqlite::memory:", "sqlite:b.db", "--from: a database in memory ends with the command"],
    ["sqlite:a.db", "sqlite::memory:", "--to: a database in memory ends with the command"],
    ["sqlite:/nowhere/a.db", "sqlite:b.db", "--from: there is no /nowhere/a.db"],
  ])("refuses %s to %s", async (from, to, message) => {
    await expect(moveDatabase({ from, to })).rejects.toThrow(new MoveError(message));
  });
});
