import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DatabaseTimeoutError } from "../../../src/lib/database-state.ts";
import { isBusy, type OpenSqlite, openSqlite } from "../../../src/store/database/sqlite-database.ts";
import { ValueRows } from "../../../src/store/database/value-rows.ts";

const INSERT = 'insert into "t" ("id", "n") values (?, ?) on conflict do nothing';

describe("executeEach()", () => {
  let folder: string;
  let database: OpenSqlite;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "attune-sqlite-"));
    database = openSqlite(join(folder, "t.db"), { isReadOnly: false });
    database.prepare('create table "t" ("id" text primary key, "n" integer not null)').run([]);
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  function rows(): unknown[] {
    return database.prepare('select "id", "n" from "t" order by "id"').all([]);
  }

  it("executes a statement for each row, and says what each has changed", () => {
    const values = new ValueRows([
      ["a", 1],
      ["b", 2],
      ["a", 3],
    ]);
    expect(database.executeEach(INSERT, values)).toEqual([{ changes: 1 }, { changes: 1 }, { changes: 0 }]);
    expect(rows()).toEqual([
      { id: "a", n: 1 },
      { id: "b", n: 2 },
    ]);
    expect(database.executeEach(INSERT, new ValueRows([]))).toEqual([]);
  });

  it("throws what SQLite says of a row", () => {
    const values = new ValueRows([
      ["a", 1],
      ["b", { n: 1 }],
    ]);
    expect(() => database.executeEach(INSERT, values)).toThrow(TypeError);
  });

  it("says that a lock was met in a way that nobody waits for, unless it was the first row that met it", () => {
    const other = openSqlite(join(folder, "t.db"), { isReadOnly: false });
    const locked = [
      ["b", 2],
      ["c", 3],
    ];
    // Another process takes the lock before the row is read.
    Object.defineProperty(locked, 1, {
      get: () => {
        other.prepare("begin exclusive").run([]);
        return ["c", 3];
      },
    });
    try {
      expect(() => database.executeEach(INSERT, new ValueRows(locked))).toThrow(DatabaseTimeoutError);
      let thrown: unknown;
      try {
        database.executeEach(INSERT, new ValueRows([["d", 4]]));
      } catch (error) {
        thrown = error;
      }
      expect(isBusy(thrown)).toBe(true);
    } finally {
      other.close();
    }
    expect(rows()).toEqual([{ id: "b", n: 2 }]);
  });
});
