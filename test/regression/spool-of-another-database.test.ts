import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { expect, it } from "vitest";
import { segmentName } from "../../src/store/write/spool/position.ts";
import { startTestService } from "../support/service.ts";
import { useTemporaryFolders } from "../support/temporary-folder.ts";

const newFolder = useTemporaryFolders();

/** The folder of a process that was killed, with a record. */
function leave(spool: string, process: string): string {
  const folder = join(spool, process);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "lock"), "");
  const segment = join(folder, segmentName(1));
  writeFileSync(segment, "a record");
  return segment;
}

async function serveOnce(root: string, database: string): Promise<string[]> {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  const options = { databaseUrl: `sqlite:${join(root, database)}`, spoolFolder: join(root, "spool"), log };
  await (await startTestService(options)).close();
  return lines;
}

it("leaves what processes on another database left in a shared folder, and names it", async () => {
  const root = newFolder();
  const spool = join(root, "spool");
  await serveOnce(root, "one.db");
  const [one = ""] = readdirSync(spool);
  const ofOne = leave(join(spool, one), "019a0000-0000-7000-8000-000000000001");
  const ofNobody = leave(spool, "019a0000-0000-7000-8000-000000000002");
  const log = (await serveOnce(root, "two.db")).join("");
  expect([ofOne, ofNobody].map((file) => existsSync(file))).toEqual([true, true]);
  expect(log).toContain(`"folder":"${join(spool, one)}"`);
  expect(log).toContain(`"folder":"${spool}"`);
  // Its own database's process takes it over.
  await serveOnce(root, "one.db");
  expect([ofOne, ofNobody].map((file) => existsSync(file))).toEqual([false, true]);
});

it("does not name the folder of a service that runs", async () => {
  const root = newFolder();
  const running = await startTestService({
    databaseUrl: `sqlite:${join(root, "one.db")}`,
    spoolFolder: join(root, "spool"),
  });
  expect((await serveOnce(root, "two.db")).join("")).not.toContain("records of another database");
  await running.close();
});
