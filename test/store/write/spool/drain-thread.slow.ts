import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { recordToRow } from "../../../../src/store/write/recorder/record-to-row.ts";
import type { DrainReport } from "../../../../src/store/write/spool/drain.ts";
import { DrainThread } from "../../../../src/store/write/spool/drain-thread.ts";
import { encodeInference } from "../../../../src/store/write/spool/entry.ts";
import { Spool } from "../../../../src/store/write/spool/spool.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { inferenceRecord } from "../../../support/inference-record.ts";
import { startTcpProxy } from "../../../support/tcp-proxy.ts";
import { useTemporaryFolders } from "../../../support/temporary-folder.ts";
import { waitFor } from "../../../support/wait.ts";

// Sums of the greatest cost that a number can hold would leave the range of PostgreSQL's integers.
const row = recordToRow(inferenceRecord({ costNanos: 1000 }));
const payloadOf = (id: string) =>
  encodeInference({ row: { ...row, id }, attempts: [], request: undefined, response: undefined });

describe.each(ENGINES)("DrainThread on %s", (engine) => {
  const databases = useDatabases(engine);
  const newFolder = useTemporaryFolders();
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  function start(options: { databaseUrl?: string; writeTimeoutMs?: number } = {}) {
    const spool = new Spool({ root: join(newFolder(), "spool"), segmentBytes: 20_000, onError() {} });
    const reports: DrainReport[] = [];
    const said: string[] = [];
    const say = (facts: object, text: string) => void said.push(`${text}: ${JSON.stringify(facts, reasons)}`);
    const log = { warn: say, error: say };
    const thread = new DrainThread({ databaseUrl: databases.url, namesPerProject: 100, log, ...options });
    const drain = thread.open(spool.path, (report) => {
      reports.push(report);
      spool.settle(report.through);
    });
    open.push(drain, spool);
    const offer = (count: number) => {
      const ids = Array.from({ length: count }, () => newId());
      for (const id of ids) spool.append(payloadOf(id));
      drain.announce(spool.end);
      return ids;
    };
    const written = () => waitFor(() => expect(reports.at(-1)?.through).toEqual(spool.end));
    return { spool, thread, drain, reports, said, offer, written };
  }

  const reasons = (_: string, value: unknown) => (value instanceof Error ? value.message : value);

  async function inDatabase(ids: readonly string[]): Promise<number> {
    const rows = await databases.store.query().selectFrom("Inference").select("id").where("id", "in", ids).execute();
    return rows.length;
  }

  it("writes what is announced, and what is in no file", async () => {
    const { drain, reports, offer, written } = start();
    const direct = newId();
    drain.take([{ sequence: 1, payload: Buffer.concat(payloadOf(direct)) }]);
    const ids = offer(30);
    await written();
    await waitFor(() => expect(reports.at(-1)?.directThrough).toBe(1));
    expect(await inDatabase([...ids, direct])).toBe(31);
    expect(reports.at(-1)).toMatchObject({ written: 31, failedWrites: 0, database: "ok" });
  });

  it("starts again when the thread dies, and loses and doubles nothing", async () => {
    const { thread, drain, reports, offer, written } = start();
    const ids: string[] = [];
    let sequence = 0;
    for (let round = 0; round < 3; round++) {
      ids.push(...offer(300));
      const direct = newId();
      ids.push(direct);
      sequence += 1;
      drain.take([{ sequence, payload: Buffer.concat(payloadOf(direct)) }]);
      // Somewhere in the writing, where a report may be on its way.
      await waitFor(() => expect(reports.length).toBeGreaterThan(2 * round));
      await thread.kill();
      ids.push(...offer(50));
    }
    await written();
    await waitFor(() => expect(reports.at(-1)?.directThrough).toBe(3));
    expect(ids).toHaveLength(1053);
    expect(await inDatabase(ids)).toBe(1053);
    expect(reports.at(-1)?.rejected).toBe(0);
  }, 60_000);

  it("says that a database is away which it cannot even open, and why", async () => {
    const databaseUrl = engine === "sqlite" ? `sqlite:${newFolder()}` : "postgresql://postgres@127.0.0.1:1/none";
    const { reports, said, offer } = start({ databaseUrl });
    offer(1);
    await waitFor(() => expect(reports.at(-1)?.database).toBe("away"));
    expect(said[0]).toMatch(/the database doesn't accept records; they wait in the spool: .*cannot open the database/);
  });

  it.runIf(engine === "postgres")(
    "leaves a connection that died without a word, and writes over a new one",
    async () => {
      const url = new URL(databases.url);
      const proxy = await startTcpProxy(Number(url.port));
      open.push(proxy);
      url.port = String(proxy.port);
      const { said, offer, written } = start({ databaseUrl: url.href, writeTimeoutMs: 1000 });
      const before = offer(5);
      await written();
      proxy.freeze();
      const after = offer(5);
      await waitFor(() => expect(said.join()).toContain("the database has not answered a write for 1000 ms"));
      proxy.thaw();
      await written();
      expect(await inDatabase([...before, ...after])).toBe(10);
    },
    40_000,
  );
});
