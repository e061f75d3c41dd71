import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { LogFile } from "../../src/observability/log-file.ts";

const MODULE = pathToFileURL(join(import.meta.dirname, "..", "..", "src", "observability", "log.ts")).href;
const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

describe.runIf(process.platform === "linux")("the file of the log", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "attune-log-"));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it("has the lines in their order", async () => {
    const path = join(folder, "log");
    const fd = openSync(path, "w");
    onTestFinished(() => closeSync(fd));
    const file = new LogFile(fd, { mostWaiting: 1_000, onLost: () => {} });
    for (const line of ["one\n", "two\n", "drei ä\n"]) file.write(line);
    await expect.poll(() => readFileSync(path, "utf8")).toBe("one\ntwo\ndrei ä\n");
    file.write("later\n");
    await expect.poll(() => readFileSync(path, "utf8")).toBe("one\ntwo\ndrei ä\nlater\n");
  });

  it("holds lines for a slow reader, and says how many were too many", async () => {
    const { reader, writer } = openPipe();
    const lost = vi.fn();
    const line = `${"x".repeat(999)}\n`;
    const file = new LogFile(writer, { mostWaiting: 100_000, onLost: lost });
    // A pipe takes 64 KiB.
    for (let count = 0; count < 300; count += 1) {
      file.write(line);
      await new Promise(setImmediate);
    }
    let read = 0;
    await vi.waitUntil(() => {
      read += take(reader).length;
      return lost.mock.calls.length > 0;
    }, 5_000);
    read += take(reader).length;
    expect(lost).toHaveBeenCalledTimes(1);
    const [lines] = lost.mock.calls[0] as [number];
    expect(lines).toBeGreaterThan(0);
    expect(read / line.length).toBe(300 - lines);
  });

  it("lets the service go on where its reader has gone", async () => {
    const { reader, writer } = openPipe();
    const file = new LogFile(writer, { mostWaiting: 1_000, onLost: () => {} });
    closeSync(reader);
    file.write("a line\n");
    await new Promise((resolve) => setTimeout(resolve, 50));
    file.write("another\n");
  });

  it.each(["full", "gone"])("keeps no process that ends where it is %s", async (kind) => {
    const end = kind === "full" ? openSync("/dev/full", O_WRONLY) : openPipe().writer;
    const script = `
      const { createLog } = await import("${MODULE}");
      const log = createLog("info", "json");
      for (let line = 0; line < 3; line += 1) log.info({ line }, "a line");
      process.exit(7);`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", end],
    });
    child.stdout?.resume();
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(7);
  });

  it("has the last lines of a process that ends at once", async () => {
    const path = join(folder, "log");
    const script = `
      const { createLog } = await import("${MODULE}");
      const log = createLog("info", "json");
      for (let line = 0; line < 100; line += 1) log.info({ line }, "a line");
      process.exit(0);`;
    const fd = openSync(path, "w");
    onTestFinished(() => closeSync(fd));
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["ignore", "ignore", fd],
    });
    await new Promise((resolve) => child.once("exit", resolve));
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).line).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, i) => i),
    );
  });

  /** Opens a pipe that keeps no writer waiting. */
  function openPipe(): { readonly reader: number; readonly writer: number } {
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    const reader = openSync(path, O_RDONLY | O_NONBLOCK);
    const writer = openSync(path, O_WRONLY | O_NONBLOCK);
    onTestFinished(() => closeSync(writer));
    return { reader, writer };
  }
});

/** Returns what a pipe holds. */
function take(reader: number): string {
  const bytes = Buffer.alloc(2 ** 20);
  let text = "";
  try {
    for (let read = -1; read !== 0; text += bytes.toString("utf8", 0, read)) read = readSync(reader, bytes);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EAGAIN") throw thrown;
  }
  return text;
}
