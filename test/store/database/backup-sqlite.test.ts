import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backupSqlite } from "../../../src/store/database/backup-sqlite.ts";
import { useTemporaryFolders } from "../../support/temporary-folder.ts";

const newFolder = useTemporaryFolders();
let folder: string;
let database: DatabaseSync;

const count = (file: DatabaseSync) => file.prepare("select count(*) as rows from answer").get()?.["rows"];

beforeEach(() => {
  folder = newFolder();
  database = new DatabaseSync(join(folder, "attune.db"));
  database.exec("pragma journal_mode = wal; create table mikro_orm_migrations (name text); create table answer (text)");
  database.exec("begin");
  for (let row = 0; row < 500; row++) database.prepare("insert into answer values (?)").run("x".repeat(1000));
  database.exec("commit");
});

afterEach(() => database.close());

describe("backupSqlite()", () => {
  it("copies the database as it was at first, though others write to it between all steps", async () => {
    const target = join(folder, "copy.db");
    const told: number[] = [];
    await backupSqlite(join(folder, "attune.db"), target, {
      pagesPerStep: 10,
      onProgress({ remainingPages }) {
        told.push(remainingPages);
        database.prepare("insert into answer values (?)").run("y".repeat(5000));
      },
    });
    expect(told.length).toBeGreaterThan(10);
    expect(told).toEqual([...told].sort((a, b) => b - a));
    expect(count(database)).toBe(500 + told.length);
    const copy = new DatabaseSync(target);
    expect(count(copy)).toBe(500);
    copy.close();
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });

  it("refuses a file that exists, a database that is not there, and one of something else", async () => {
    const [file, target] = [join(folder, "attune.db"), join(folder, "copy.db")];
    await expect(backupSqlite(file, file)).rejects.toThrow(`${file} exists: name a new file`);
    await expect(backupSqlite(join(folder, "none.db"), target)).rejects.toThrow("there is no ");
    database.exec("drop table mikro_orm_migrations");
    await expect(backupSqlite(file, target)).rejects.toThrow(`there is no Attune in ${file}`);
    expect(existsSync(target)).toBe(false);
  });

  it("makes one whole copy of two that are begun for one file, and refuses the other", async () => {
    const [file, target] = [join(folder, "attune.db"), join(folder, "copy.db")];
    let second: Promise<void> | undefined;
    const first = backupSqlite(file, target, {
      pagesPerStep: 10,
      onProgress({ remainingPages, totalPages }) {
        if (remainingPages < totalPages / 2) second ??= backupSqlite(file, target, { pagesPerStep: 10 });
      },
    });
    const ended = [...(await Promise.allSettled([first])), ...(await Promise.allSettled([second]))];
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(ended.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { message: expect.stringContaining(`${target} exists`) },
    });
    const copy = new DatabaseSync(target);
    expect(count(copy)).toBe(500);
    copy.close();
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });
});
