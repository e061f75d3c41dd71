import { afterEach, describe, expect, it } from "vitest";
import { CHANNELS, type ChangeFeed, NO_CHANGES } from "../../../src/store/changes/change-feed.ts";
import { createChangeFeed } from "../../../src/store/changes/create-change-feed.ts";
import { createPostgresBus } from "../../../src/store/peers/postgres-bus.ts";
import { SILENT_LOG } from "../../../src/store/types/log.ts";
import { useDatabases } from "../../support/database.ts";
import { waitUntil } from "../../support/wait.ts";

describe("createPostgresBus()", () => {
  const databases = useDatabases("postgres");
  const feeds: ChangeFeed[] = [];

  afterEach(async () => {
    for (const feed of feeds.splice(0)) await feed.close();
  });

  /** A process that notes what it hears. */
  function startBus() {
    const changes = createChangeFeed(databases.store, SILENT_LOG);
    feeds.push(changes);
    const bus = createPostgresBus(changes);
    const heard: string[] = [];
    bus.start({
      onMessage: (text) => heard.push(text),
      onOpen: () => heard.push("open"),
      onMet() {},
      onLost() {},
    });
    return { bus, heard, changes };
  }

  const until = (heard: readonly string[], text: string) => waitUntil(() => heard.includes(text));

  it("carries messages to all processes in order, each under a name of its own", async () => {
    const [a, b] = [startBus(), startBus()];
    expect(a.bus.state).toBe("closed");
    for (const { heard } of [a, b]) await until(heard, "open");
    expect([a.bus.state, b.bus.state]).toEqual(["open", "open"]);
    expect(a.bus.name).not.toBe(b.bus.name);
    const long = "長".repeat(2666);
    a.bus.send("one", b.bus.name);
    a.bus.send(long);
    a.bus.send("three");
    for (const { heard } of [a, b]) {
      await until(heard, "three");
      expect(heard).toEqual(["open", "one", long, "three"]);
    }
  });

  it("hears no more once it is closed, whose last words are told", async () => {
    const [a, b] = [startBus(), startBus()];
    for (const { heard } of [a, b]) await until(heard, "open");
    a.bus.send("goodbye");
    await a.bus.close();
    await until(b.heard, "goodbye");
    const stillTold: string[] = [];
    a.changes.subscribe(CHANNELS.inferences, (text) => stillTold.push(text));
    b.bus.send("to nobody");
    await until(stillTold, "to nobody");
    expect(a.heard).not.toContain("to nobody");
  });

  it("closes in bounded time though its last words cannot be told", async () => {
    const bus = createPostgresBus({ ...NO_CHANGES, tell: () => new Promise(() => {}) });
    bus.send("goodbye");
    const began = performance.now();
    await bus.close();
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it("does not hear what is told on other channels", async () => {
    const { heard, changes } = startBus();
    await until(heard, "open");
    await changes.tell(CHANNELS.keys, "a key");
    await changes.tell(CHANNELS.inferences, "an inference");
    await until(heard, "an inference");
    expect(heard).toEqual(["open", "an inference"]);
  });
});
