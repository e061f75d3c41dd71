import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createRecorder } from "../../../../src/store/write/recorder/recorder.ts";
import type { StoreRecorder } from "../../../../src/store/write/recorder/store-recorder.ts";
import { DrainHost } from "../../../../src/store/write/spool/drain-host.ts";
import type {
  DrainChannel,
  DrainGuest,
  DrainReply,
  DrainRequest,
} from "../../../../src/store/write/spool/drain-requests.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { inferenceRecord } from "../../../support/inference-record.ts";
import { useTemporaryFolders } from "../../../support/temporary-folder.ts";
import { waitFor } from "../../../support/wait.ts";

/** What goes from one process to another is JSON. */
const copied = <T>(message: T): T => JSON.parse(JSON.stringify(message)) as T;

describe.each(ENGINES)("DrainHost on %s", (engine) => {
  const databases = useDatabases(engine);
  const newFolder = useTemporaryFolders();
  const open: StoreRecorder[] = [];
  afterEach(async () => {
    for (const recorder of open.splice(0)) await recorder.close();
  });

  function createHost() {
    const said: string[] = [];
    const say = (_: object, text: string) => void said.push(text);
    return { host: new DrainHost({ warn: say, error: say }), said };
  }

  /** A process whose spool the host drains. */
  function createGuest(host: DrainHost) {
    let listen: (reply: DrainReply) => void = () => {};
    const guest: DrainGuest = { reply: (reply) => listen(copied(reply)) };
    const requests: DrainRequest[] = [];
    const channel: DrainChannel = {
      send(request) {
        requests.push(request);
        host.hear(guest, copied(request));
      },
      onReply(hear) {
        listen = hear;
      },
    };
    return { guest, channel, requests };
  }

  function record(host: DrainHost, root: string) {
    const { guest, channel, requests } = createGuest(host);
    const recorder = createRecorder(databases.store, {
      folder: root,
      threadDatabaseUrl: databases.url,
      drains: channel,
      closeTimeoutMs: 200,
    });
    open.push(recorder);
    return { guest, recorder, requests };
  }

  function offer(recorder: StoreRecorder, count: number): string[] {
    // Sums of the greatest cost that a number can hold would leave the range of PostgreSQL's integers.
    const records = Array.from({ length: count }, () => inferenceRecord({ costNanos: 1000 }));
    for (const record of records) recorder.offer(record);
    return records.map(({ id }) => id);
  }

  async function inDatabase(ids: readonly string[]): Promise<number> {
    const rows = await databases.store.query().selectFrom("Inference").select("id").where("id", "in", ids).execute();
    return rows.length;
  }

  it("writes what several processes record, and tells each what is written of its own", async () => {
    const { host, said } = createHost();
    const root = join(newFolder(), "spool");
    const guests = Array.from({ length: 6 }, () => record(host, root));
    const ids = guests.flatMap(({ recorder }, index) => offer(recorder, 40 + index));
    await Promise.all(guests.map(({ recorder }) => recorder.flush()));
    expect(await inDatabase(ids)).toBe(255);
    for (const [index, { recorder }] of guests.entries()) {
      expect(recorder.stats()).toMatchObject({ written: 40 + index, queued: 0, failedWrites: 0, database: "ok" });
    }
    expect(said).toEqual([]);
  });

  it("goes on with the others where one closes, and takes a new one after the last", async () => {
    const { host } = createHost();
    const root = join(newFolder(), "spool");
    const [one, other] = [record(host, root), record(host, root)];
    offer(one.recorder, 10);
    await one.recorder.close();
    expect(one.requests.map(({ kind }) => kind)).toEqual(["open", "announce", "close"]);
    const ids = offer(other.recorder, 10);
    await other.recorder.flush();
    await other.recorder.close();
    const third = record(host, root);
    ids.push(...offer(third.recorder, 10));
    await third.recorder.flush();
    expect(await inDatabase(ids)).toBe(20);
  });

  it("leaves the folder of a process that died to another one, which writes what is in it", async () => {
    const { host, said } = createHost();
    const root = join(newFolder(), "spool");
    const { guest, recorder } = record(host, root);
    const ids = offer(recorder, 5);
    await recorder.flush();
    // Nothing of what is recorded now is announced: so it is when a process is killed.
    await host.forget(guest);
    ids.push(...offer(recorder, 25));
    const closing = recorder.close();
    open.splice(open.indexOf(recorder), 1);
    const heir = record(host, root);
    await closing;
    await waitFor(async () => {
      heir.recorder.adopt();
      await heir.recorder.flush();
      expect(await inDatabase(ids)).toBe(30);
    });
    expect(said).toEqual([]);
  }, 60_000);
});
