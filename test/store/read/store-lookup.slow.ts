import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { InFlight } from "../../../src/inference/run/in-flight.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createChangeFeed } from "../../../src/store/changes/create-change-feed.ts";
import { createOwnInferences } from "../../../src/store/peers/local-inferences.ts";
import { encodeMessage } from "../../../src/store/peers/message.ts";
import type { MessageBus } from "../../../src/store/peers/message-bus.ts";
import { PeerLookup } from "../../../src/store/peers/peer-lookup.ts";
import { createPostgresBus } from "../../../src/store/peers/postgres-bus.ts";
import { SocketBus } from "../../../src/store/peers/socket-bus.ts";
import { createInferenceArchive } from "../../../src/store/read/inference-archive.ts";
import { StoreLookup } from "../../../src/store/read/store-lookup.ts";
import { SILENT_LOG } from "../../../src/store/types/log.ts";
import { createRecorder } from "../../../src/store/write/recorder/recorder.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { inferenceRecord } from "../../support/inference-record.ts";
import { idAt } from "../../support/rows.ts";
import { waitUntil } from "../../support/wait.ts";

const DAY_MS = 86_400_000;

describe.each(ENGINES)("StoreLookup on %s", (engine) => {
  const databases = useDatabases(engine);
  const ending: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end();
  });

  /** What a process has, with a recorder that writes nothing by itself. */
  async function startProcess(changeBus = (bus: MessageBus): MessageBus => bus) {
    const { store, url } = databases;
    // On PostgreSQL each has a spool of its own, as on hosts of their own.
    const root = engine === "sqlite" ? { folder: `${dirname(url.slice("sqlite:".length))}/spool` } : {};
    const recorder = createRecorder(store, { ...root, flushIntervalMs: 60_000 });
    const inFlight = new InFlight();
    const own = createOwnInferences(inFlight, recorder);
    const changes = createChangeFeed(store, SILENT_LOG);
    const bus = changeBus(
      engine === "sqlite" ? new SocketBus({ folder: recorder.folder, log: SILENT_LOG }) : createPostgresBus(changes),
    );
    const peers = new PeerLookup({ bus, own, log: SILENT_LOG, times: { greetingMs: 50 } });
    const lookup = new StoreLookup({ store, own, peers });
    const archive = createInferenceArchive({ store, recorder, own, lookup }, { maxBytes: 2 ** 20 });
    ending.push(async () => {
      await recorder.close();
      await peers.close();
      await changes.close();
    });
    return { recorder, inFlight, lookup, archive, peers, bus };
  }

  /** Two processes that have heard of each other. */
  async function startTwo(changeBus?: (bus: MessageBus) => MessageBus) {
    const two = [await startProcess(), await startProcess(changeBus)] as const;
    await waitUntil(() => two.every(({ bus }) => bus.state === "open"));
    for (const { peers } of two) {
      await waitUntil(async () => (await peers.find([newId()], newId())).certainty === "sure");
    }
    return two;
  }

  it("finds inferences that are under way, that wait, and that are stored", async () => {
    const { recorder, inFlight, lookup } = await startProcess();
    const underWay = newId();
    const record = inferenceRecord();
    const { projectId, model, workload } = record;
    const facts = { projectId, model, workload };
    inFlight.add(underWay, facts);
    expect(lookup.findRecent(underWay)).toBe(facts);
    expect(lookup.findRecent(record.id)).toBeUndefined();
    expect(await lookup.findStored([record.id], projectId)).toEqual(new Map());
    recorder.offer(record);
    expect(lookup.findRecent(record.id)).toMatchObject(facts);
    await recorder.flush();
    expect(lookup.findRecent(record.id)).toBeUndefined();
    expect(await lookup.findStored([record.id, newId(), randomUUID()], projectId)).toEqual(
      new Map([[record.id, facts]]),
    );
  });

  it("finds what another process has under way or in its spool, for its own project only", async () => {
    const [here, there] = await startTwo();
    const record = inferenceRecord();
    const { projectId, model, workload } = record;
    const underWay = newId();
    there.inFlight.add(underWay, { projectId, model: "m", workload: "w" });
    there.recorder.offer(record);
    expect(await here.lookup.findStored([underWay, record.id, newId()], projectId)).toEqual(
      new Map([
        [underWay, { projectId, model: "m", workload: "w" }],
        [record.id, { projectId, model, workload }],
      ]),
    );
    expect(await here.lookup.findStored([underWay, record.id], newId())).toEqual(new Map());
  });

  it("has candidates written that wait, here or with another process, and knows which of them were compared and not given", async () => {
    const [here, there] = await startTwo();
    const [primary] = inferenceRecord().attempts;
    if (primary === undefined) throw new Error("a record has an attempt");
    const candidate = { ...primary, role: "candidate" } as const;
    const attempts = [
      { ...candidate, score: 0.75 },
      { ...candidate, isWinner: false, score: 0.5 },
      // It was broken off.
      { ...candidate, isWinner: false },
    ];
    const [own, others] = [inferenceRecord({ attempts }), inferenceRecord({ attempts })];
    here.recorder.offer(own);
    there.recorder.offer(others);
    const underWay = newId();
    here.inFlight.add(underWay, { projectId: own.projectId, model: "m", workload: "" });
    const asked = [own.id, others.id, underWay].flatMap((inferenceId) =>
      [null, 0, 1, 2, 3].map((attempt) => ({ inferenceId, attempt })),
    );
    const found = await here.lookup.findCandidates(
      asked.filter(({ attempt }) => attempt !== null),
      own.projectId,
    );
    expect([...found].filter(([, known]) => known === "here").map(([id]) => id)).toEqual([
      `${own.id}.1`,
      `${others.id}.1`,
    ]);
    // Of what has not ended nobody can tell.
    expect([...found].filter(([, known]) => known === "unsure").map(([id]) => id)).toEqual(
      [0, 1, 2, 3].map((attempt) => `${underWay}.${attempt}`),
    );
  });

  it.each([400, -1, -400])("finds an inference of a process whose clock is %d days ahead", async (days) => {
    const [here, there] = await startTwo();
    const record = inferenceRecord({ id: idAt(new Date(Date.now() + days * DAY_MS).toISOString(), days + 1000) });
    there.recorder.offer(record);
    expect([...(await here.lookup.findStored([record.id], record.projectId)).keys()]).toEqual([record.id]);
  });

  it("has a chain written whose links wait with another process, and reads it at once", async () => {
    const [here, there] = await startTwo();
    const chain = [inferenceRecord()];
    for (const process of [here, there, here, there]) {
      const next = inferenceRecord({ previousId: chain.at(-1)?.id });
      process.recorder.offer(next);
      chain.push(next);
    }
    const [first, ...others] = chain;
    if (first === undefined) throw new Error("a chain has a first");
    there.recorder.offer(first);
    const ids = [first, ...others].map(({ id }) => id).toReversed();
    const { projectId } = first;
    expect((await here.archive.readChain(ids[0] ?? "", projectId, 10)).map(({ id }) => id)).toEqual(ids);
  });

  it("waits for the end of what is under way with another process", async () => {
    const [here, there] = await startTwo();
    const record = inferenceRecord();
    const { id, projectId } = record;
    there.inFlight.add(id, { projectId, model: "m", workload: "" });
    const chain = here.archive.readChain(id, projectId, 1);
    await waitUntil(async () => (await here.lookup.findStored([id], projectId)).has(id));
    there.recorder.offer(record);
    there.inFlight.delete(id);
    expect(await chain).toMatchObject([{ id }]);
    expect(await here.archive.delete(id, projectId)).toBe(true);
  });

  it("is not held up by an id that nobody knows", async () => {
    const [here, there] = await startTwo();
    const record = inferenceRecord();
    there.recorder.offer(record);
    const mistyped = newId();
    const took: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const began = performance.now();
      const found = await here.lookup.findStored([mistyped, record.id], record.projectId);
      took.push(performance.now() - began);
      expect([...found.keys()]).toEqual([record.id]);
      expect(await here.lookup.arrival(mistyped, record.projectId, 5000)).toBe("nowhere");
    }
    // Some milliseconds; who waited for what does not come would take 300 each time.
    expect(Math.min(...took)).toBeLessThan(100);
  });

  it("is held up briefly where a process does not answer, which may have it", async () => {
    const [here, there] = await startTwo();
    const record = inferenceRecord();
    there.recorder.offer(record);
    // Someone who says that it is there, and then nothing more.
    there.bus.send(encodeMessage({ kind: "here", from: newId() }));
    await waitUntil(async () => (await here.peers.find([newId()], newId())).certainty === "unsure");
    const mistyped = newId();
    const began = performance.now();
    const found = await here.lookup.findStored([mistyped, record.id], record.projectId);
    expect(found.get(record.id)).toMatchObject({ projectId: record.projectId });
    expect(found.get(mistyped)).toBe("unsure");
    // 300 ms, on a machine with nothing else to do; it was waited for once, for a second.
    expect(performance.now() - began).toBeLessThan(1500);
    // So long ago that it would have ended on any clock.
    const old = idAt("2026-01-01T00:00:00.000Z", 1);
    expect(await here.lookup.findStored([old], record.projectId)).toEqual(new Map());
  });

  it("finds what a process has that is slow to answer", async () => {
    let slowMs = 0;
    // Delivers what the process says late, and in order.
    const slow = (bus: MessageBus): MessageBus => ({
      name: bus.name,
      get state() {
        return bus.state;
      },
      start: (listener) => bus.start(listener),
      send: (text, to) => void setTimeout(() => bus.send(text, to), slowMs),
      close: () => bus.close(),
    });
    const [here, there] = await startTwo(slow);
    slowMs = 400;
    const records = [inferenceRecord(), inferenceRecord()] as const;
    for (const record of records) there.recorder.offer(record);
    const [{ id, projectId }, other] = records;
    expect((await here.lookup.findStored([id], projectId)).get(id)).toMatchObject({ projectId });
    expect(await here.archive.readChain(other.id, projectId, 1)).toMatchObject([{ id: other.id }]);
  });

  it("deletes what another process has in its memory too, though the database has it already", async () => {
    const [here, there] = await startTwo();
    const record = inferenceRecord();
    const { id, projectId } = record;
    there.recorder.offer(record);
    // The thread of a process writes before the process knows of it.
    const writer = createRecorder(databases.store, {});
    writer.offer(record);
    await writer.flush();
    await writer.close();
    expect(there.recorder.find(id)).toBeDefined();
    expect(await here.archive.delete(id, projectId)).toBe(true);
    expect(await there.archive.readChain(id, projectId, 1)).toEqual([]);
    expect(await here.archive.readChain(id, projectId, 1)).toEqual([]);
  });

  it("looks up as many ids as a batch may have, and asks others for a bounded part of them", async () => {
    const [here] = await startTwo();
    const ids = Array.from({ length: 10_000 }, newId);
    const found = await here.lookup.findStored(ids, newId());
    expect([...found.values()].every((facts) => facts === "unsure")).toBe(true);
    expect(found.size).toBe(8000);
  });
});
