import { renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { createMissingDatabase } from "../../../src/store/database/create-database.ts";
import { parseDatabaseUrl } from "../../../src/store/database/database-url.ts";
import { watchDatabase } from "../../../src/store/database/database-watch.ts";
import { readRows } from "../../../src/store/database/executor.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { createRecorder } from "../../../src/store/write/recorder/recorder.ts";
import { useDatabases } from "../../support/database.ts";
import { inferenceRecord } from "../../support/inference-record.ts";
import { waitUntil } from "../../support/wait.ts";

describe("an SQLite file that goes away while it is open", () => {
  const databases = useDatabases("sqlite");

  async function open() {
    const url = databases.newUrl();
    await createMissingDatabase(url);
    const store = await openStore(url);
    const address = parseDatabaseUrl(url);
    const file = address.engine === "sqlite" ? address.file : "";
    const watch = watchDatabase(store, { everyMs: 20 });
    const becomes = (state: string) => waitUntil(() => watch.state === state);
    const close = async () => {
      watch.close();
      await store.close();
    };
    return { url, store, file, becomes, close };
  }

  it("is noticed, and used again once the same file is back", async () => {
    const { store, file, becomes, close } = await open();
    renameSync(file, `${file}.moved`);
    await becomes("missing");
    const message = `${file} was deleted while ${file} was open: put the same file back, or restart on the one that is there`;
    await expect(readRows(store, "select 1", [])).rejects.toThrow(message);
    await expect(store.transaction(async () => {})).rejects.toThrow(message);
    renameSync(`${file}.moved`, file);
    await becomes("ok");
    expect(await readRows(store, "select 1 as one", [])).toEqual([{ one: 1 }]);
    await close();
  });

  it("is noticed where another file is in its place", async () => {
    const { store, file, becomes, close } = await open();
    renameSync(file, `${file}.moved`);
    writeFileSync(file, "");
    await becomes("missing");
    await expect(readRows(store, "select 1", [])).rejects.toThrow("was replaced by another file");
    await close();
  });

  it("is noticed where only its write-ahead log was deleted, whose rows are saved at the end", async () => {
    const { url, store, file, becomes, close } = await open();
    const project = { id: newId(), name: "in the log", createdAt: new Date() };
    await store.query().insertInto("Project").values(project).execute();
    rmSync(`${file}-wal`);
    await becomes("missing");
    await expect(readRows(store, "select 1", [])).rejects.toThrow(`${file}-wal was deleted`);
    await close();
    const again = await openStore(url);
    const saved = again.query().selectFrom("Project").select("name").where("id", "=", project.id);
    expect(await saved.execute()).toEqual([{ name: project.name }]);
    await again.close();
  });

  it("keeps records in the spool meanwhile, written by a thread too, and writes them then", async () => {
    const { url, store, file, close } = await open();
    const recorder = createRecorder(store, { threadDatabaseUrl: url, flushIntervalMs: 1 });
    recorder.offer(inferenceRecord());
    await recorder.flush();
    renameSync(file, `${file}.moved`);
    const offered = [inferenceRecord(), inferenceRecord()];
    // What was looked at a moment ago may still be trusted for half a second: a deleted file takes what is written to
    // it.
    await waitUntil(() => {
      if (recorder.stats().database !== "missing") recorder.offer(inferenceRecord());
      return recorder.stats().database === "missing";
    });
    for (const record of offered) recorder.offer(record);
    expect(recorder.stats().queued).toBeGreaterThanOrEqual(2);
    renameSync(`${file}.moved`, file);
    await recorder.flush();
    expect(recorder.stats()).toMatchObject({ database: "ok", queued: 0, dropped: 0 });
    const ids = offered.map(({ id }) => id);
    const rows = await store.query().selectFrom("Inference").select("id").where("id", "in", ids).execute();
    expect(rows).toHaveLength(2);
    await recorder.close();
    await close();
  });
});
