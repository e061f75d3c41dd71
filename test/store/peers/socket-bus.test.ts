import { mkdirSync, rmSync, statSync } from "node:fs";
import { createConnection } from "node:net";
import { basename, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { SocketBus } from "../../../src/store/peers/socket-bus.ts";
import { SILENT_LOG } from "../../../src/store/types/log.ts";
import { useTemporaryFolders } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait.ts";

describe("SocketBus", () => {
  const makeFolder = useTemporaryFolders();
  const open: SocketBus[] = [];

  afterEach(async () => {
    for (const bus of open.splice(0)) await bus.close();
  });

  /** A process below `root` that notes what it hears. */
  async function startBus(root: string, log = SILENT_LOG) {
    const folder = join(root, newId());
    mkdirSync(folder, { recursive: true });
    const bus = new SocketBus({ folder, log });
    open.push(bus);
    const heard: string[] = [];
    bus.start({
      onMessage: (text) => heard.push(text),
      onOpen: () => heard.push("open"),
      onMet: (name) => heard.push(`met ${name}`),
      onLost: (name) => heard.push(`lost ${name}`),
    });
    return { bus, heard, folder };
  }

  const until = (heard: readonly string[], ...texts: string[]) =>
    waitUntil(() => texts.every((text) => heard.includes(text)));

  it("carries messages between all processes below a folder, to one or to all, in order", async () => {
    const root = makeFolder();
    const [a, b, c] = [await startBus(root), await startBus(root), await startBus(root)];
    for (const { heard } of [a, b, c])
      await waitUntil(() => heard.filter((text) => text.startsWith("met")).length === 2);
    a.bus.send("one");
    a.bus.send("two", b.bus.name);
    a.bus.send("three");
    await until(b.heard, "three");
    await until(c.heard, "three");
    expect(b.heard.slice(-3)).toEqual(["one", "two", "three"]);
    expect(c.heard.slice(-2)).toEqual(["one", "three"]);
    expect(a.heard).not.toContain("one");
    expect(a.bus.name).toBe(basename(a.folder));
    expect(statSync(join(a.folder, "socket")).mode & 0o777).toBe(0o600);
  });

  it("tells of a process that is gone, and not of folders that have none", async () => {
    const root = makeFolder();
    mkdirSync(join(root, newId()));
    mkdirSync(join(root, "other"));
    const [a, b] = [await startBus(root), await startBus(root)];
    await until(a.heard, `met ${b.bus.name}`);
    await b.bus.close();
    await until(a.heard, `lost ${b.bus.name}`);
    expect(a.heard).toHaveLength(3);
    a.bus.send("to nobody");
  });

  it.runIf(process.platform === "linux")("reaches folders whose path is too long for a socket", async () => {
    const root = join(makeFolder(), "long".repeat(40));
    const [a, b] = [await startBus(root), await startBus(root)];
    await until(a.heard, `met ${b.bus.name}`);
    await until(b.heard, `met ${a.bus.name}`);
    a.bus.send("far");
    await until(b.heard, "far");
  });

  it("drops who sends a line without an end", async () => {
    const { folder, heard } = await startBus(makeFolder());
    await until(heard, "open");
    const socket = createConnection(join(folder, "socket"));
    const closed = new Promise((resolve) => socket.on("error", () => {}).once("close", resolve));
    socket.write("x".repeat(1024 * 1024));
    await closed;
  });

  it("goes on without others where it cannot listen, and says so", async () => {
    const root = makeFolder();
    const folder = join(root, newId());
    const warn = vi.fn();
    const bus = new SocketBus({ folder, log: { ...SILENT_LOG, warn } });
    open.push(bus);
    rmSync(root, { recursive: true });
    bus.start({ onMessage() {}, onOpen() {}, onMet() {}, onLost() {} });
    await waitUntil(() => warn.mock.calls.length > 0);
    expect(bus.state).toBe("closed");
    bus.send("to nobody");
  });
});
