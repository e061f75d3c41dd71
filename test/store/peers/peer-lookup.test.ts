import { afterEach, describe, expect, it, vi } from "vitest";
import type { InferenceFacts } from "../../../src/feedback/ports.ts";
import { newId } from "../../../src/lib/ids.ts";
import type { BusListener, MessageBus } from "../../../src/store/peers/message-bus.ts";
import { type Certainty, PeerLookup } from "../../../src/store/peers/peer-lookup.ts";
import { SILENT_LOG } from "../../../src/store/types/log.ts";
import { waitUntil } from "../../support/wait.ts";

const PROJECT = newId();

/** A network in memory: what is sent arrives in a turn of its own, unless someone is frozen. */
class Network {
  readonly frozen = new Set<string>();
  readonly sent: string[] = [];
  readonly #listeners = new Map<string, BusListener>();

  join(name: string): MessageBus {
    const bus = {
      name,
      state: "open" as MessageBus["state"],
      start: (listener: BusListener) => {
        this.#listeners.set(name, listener);
        setImmediate(() => listener.onOpen());
      },
      send: (text: string) => {
        this.sent.push(text);
        for (const [other, listener] of this.#listeners) {
          if (!this.frozen.has(other) && !this.frozen.has(name)) setImmediate(() => listener.onMessage(text));
        }
      },
      close: async () => void this.#listeners.delete(name),
    };
    return bus;
  }

  /** A process dies. */
  lose(name: string): void {
    this.#listeners.delete(name);
    for (const listener of this.#listeners.values()) listener.onLost(name);
  }
}

describe("PeerLookup", () => {
  const open: PeerLookup[] = [];

  afterEach(async () => {
    for (const peers of open.splice(0)) await peers.close();
  });

  function join(network: Network, name: string) {
    const has = new Map<string, InferenceFacts>();
    const asked: string[] = [];
    const silent = vi.fn();
    let written = Promise.resolve(true);
    const own = {
      find(id: string) {
        asked.push(id);
        return has.get(id);
      },
      written: () => written,
    };
    const bus = network.join(name);
    const chosen: (readonly unknown[])[] = [];
    const peers = new PeerLookup({
      bus,
      own,
      log: SILENT_LOG,
      onSilent: silent,
      times: { greetingMs: 50 },
      onChosen: (choices) => chosen.push(...choices),
    });
    open.push(peers);
    const writes = (promise: Promise<boolean>): void => {
      written = promise;
    };
    return { peers, has, asked, silent, bus, writes, chosen };
  }

  const certaintyOf = async (peers: PeerLookup): Promise<Certainty> => (await peers.find([newId()], PROJECT)).certainty;
  const until = (peers: PeerLookup, certainty: Certainty) =>
    waitUntil(async () => (await certaintyOf(peers)) === certainty);

  /** Processes that know of each other. */
  async function joinAll(...names: string[]) {
    const network = new Network();
    const all = names.map((name) => join(network, name));
    for (const { peers } of all) await until(peers, all.length === 1 ? "single" : "sure");
    return { network, all };
  }

  it("asks nobody where nobody else is there, once that is known", async () => {
    const network = new Network();
    const { peers } = join(network, "a");
    await peers.opened;
    // Others may be there that have not yet said so: it waits until they have had the time.
    expect(await certaintyOf(peers)).toBe("single");
    expect(network.sent.filter((text) => text.includes("ask"))).toEqual([]);
  });

  it("asks whoever is there, from the first question of a process that has just begun", async () => {
    const { network, all } = await joinAll("a");
    const id = newId();
    all[0]?.has.set(id, { projectId: PROJECT, model: "m", workload: "" });
    const { peers } = join(network, "b");
    expect(await peers.written(id, PROJECT, 1000)).toBe("sure");
    expect(all[0]?.asked).toEqual([id]);
  });

  it("gathers what all have, of one project", async () => {
    const { all } = await joinAll("a", "b", "c");
    const [a, b, c] = all;
    const ids = Array.from({ length: 250 }, newId);
    const long = "長".repeat(256);
    for (const id of ids.slice(0, 120)) b?.has.set(id, { projectId: PROJECT, model: "m", workload: long });
    for (const id of ids.slice(120, 200)) c?.has.set(id, { projectId: PROJECT, model: "n", workload: "" });
    for (const id of ids.slice(200)) c?.has.set(id, { projectId: newId(), model: "o", workload: "" });
    const { known, certainty, unasked } = (await a?.peers.find(ids, PROJECT)) ?? {};
    expect([...(known?.keys() ?? [])].sort()).toEqual(ids.slice(0, 200).sort());
    expect(known?.get(ids[0] ?? "")).toEqual({ projectId: PROJECT, model: "m", workload: long });
    expect({ certainty, unasked }).toEqual({ certainty: "sure", unasked: [] });
  });

  it("tells all others who answers in sessions, in messages that PostgreSQL takes", async () => {
    const { network, all } = await joinAll("a", "b", "c");
    const choices = Array.from({ length: 100 }, (_, at) => {
      return ["k".repeat(12), "attune-session", `${"👋".repeat(64)}${at}`, "base", "good", at, true] as const;
    });
    for (const choice of choices) all[0]?.peers.tellChosen(choice);
    for (const other of all.slice(1)) await waitUntil(async () => other.chosen.length === choices.length);
    expect(all[2]?.chosen).toEqual(choices);
    expect(all[0]?.chosen).toEqual([]);
    expect(network.sent.filter((text) => text.includes("chosen")).length).toBeLessThan(10);
    expect(Math.max(...network.sent.map((text) => Buffer.byteLength(text)))).toBeLessThan(8000);
  });

  it("sends nothing that PostgreSQL would not take", async () => {
    const { network, all } = await joinAll("a", "b");
    const ids = Array.from({ length: 300 }, newId);
    for (const id of ids)
      all[1]?.has.set(id, { projectId: PROJECT, model: "m".repeat(200), workload: "👋".repeat(128) });
    expect((await all[0]?.peers.find(ids, PROJECT))?.known.size).toBe(300);
    expect(Math.max(...network.sent.map((text) => Buffer.byteLength(text)))).toBeLessThan(8000);
  });

  it("waits for who is frozen once, briefly, is unsure of what it has, and hears it again", async () => {
    const { network, all } = await joinAll("a", "b", "c");
    const [a, , c] = all;
    if (a === undefined || c === undefined) throw new Error("there are three");
    const id = newId();
    c.has.set(id, { projectId: PROJECT, model: "m", workload: "" });
    network.frozen.add("b");
    expect((await a.peers.find([id], PROJECT)).known.size).toBe(1);
    const began = performance.now();
    expect(await certaintyOf(a.peers)).toBe("unsure");
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(a.silent).toHaveBeenCalledTimes(1);
    const asked = performance.now();
    for (let turn = 0; turn < 20; turn += 1) expect(await certaintyOf(a.peers)).toBe("unsure");
    // Twenty seconds, if it were waited for again.
    expect(performance.now() - asked).toBeLessThan(15_000);
    network.frozen.clear();
    all[1]?.bus.send(JSON.stringify({ kind: "here", from: "b" }));
    await until(a.peers, "sure");
  });

  it("does not wait for who dies, and is unsure until what it left is taken over", async () => {
    const { network, all } = await joinAll("a", "b");
    const [a] = all;
    if (a === undefined) throw new Error("there are two");
    network.frozen.add("b");
    const answer = certaintyOf(a.peers);
    network.lose("b");
    expect(await answer).toBe("unsure");
    expect(a.silent).toHaveBeenCalledTimes(1);
  });

  it("forgets at once who says goodbye", async () => {
    const { all } = await joinAll("a", "b");
    await all[1]?.peers.close();
    await waitUntil(async () => all[0] !== undefined && (await certaintyOf(all[0].peers)) === "single");
    expect(all[0]?.silent).not.toHaveBeenCalled();
  });

  it("resolves once an inference is written, and after the time where it is not", async () => {
    const { all } = await joinAll("a", "b");
    const [a, b] = all;
    if (a === undefined || b === undefined) throw new Error("there are two");
    const id = newId();
    expect(await a.peers.written(id, PROJECT, 5000)).toBe("sure");
    b.has.set(id, { projectId: PROJECT, model: "m", workload: "" });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    b.writes(promise);
    let answer: string | undefined;
    const waiting = a.peers.written(id, PROJECT, 60_000).then((certainty) => {
      answer = certainty;
    });
    expect(await a.peers.written(id, PROJECT, 20)).toBe("late");
    expect(answer).toBeUndefined();
    resolve(true);
    await waiting;
    expect(answer).toBe("sure");
  });

  it("bounds what a project has others asked for, and leaves other projects theirs", async () => {
    const { all } = await joinAll("a", "b");
    const [a, b] = all;
    if (a === undefined || b === undefined) throw new Error("there are two");
    const before = b.asked.length;
    const ids = Array.from({ length: 30_000 }, newId);
    const { unasked } = await a.peers.find(ids, newId());
    expect(unasked).toEqual(ids.slice(2000));
    expect(b.asked.length - before).toBe(2000);
    expect((await a.peers.find(ids.slice(0, 1000), newId())).unasked).toEqual([]);
  });

  it("is not confused by what is no message", async () => {
    const { all } = await joinAll("a", "b");
    const [a, b] = all;
    if (a === undefined || b === undefined) throw new Error("there are two");
    for (const text of ["", "null", "[]", "{", '{"kind":"ask","from":"c"}', '{"kind":"tell","from":"c","to":"a"}']) {
      b.bus.send(text);
    }
    b.bus.send(JSON.stringify({ kind: "tell", from: "b", to: "a", number: 1, known: [[1, 2, 3]], isLast: true }));
    expect(await certaintyOf(a.peers)).toBe("sure");
  });
});
