import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { untilServing } from "../support/banner.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { waitUntil } from "../support/wait.ts";

const KEY = "a-bootstrap-key-for-backups";

let folder: CliFolder;

beforeAll(() => {
  folder = createCliFolder();
  writeFileSync(join(folder.path, "text.db"), "This is no database.\n".repeat(100));
});

afterAll(() => folder.remove());

describe("attune migrate", () => {
  it("creates the database, and leaves one alone that is up to date", async () => {
    const file = join(folder.path, "data", "attune.db");
    const first = await folder.run(["migrate"]);
    expect([first.status, first.stderr]).toEqual([0, ""]);
    expect(first.stdout).toMatch(new RegExp(`^${file} is up to date\n(  applied Migration\\w+\n)+$`));
    expect(await folder.run(["migrate"])).toEqual({ status: 0, stdout: `${file} is up to date\n`, stderr: "" });
  });
});

describe("attune backup", () => {
  it("makes a file that takes the place of the database, and overwrites none", async () => {
    const created = await folder.run(["keys", "create", "--name", "kept"]);
    expect(created.status).toBe(0);
    const file = join(folder.path, "copy.db");
    const made = await folder.run(["backup", "copy.db"]);
    expect(made.stdout).toMatch(/copy\.db has the database: \d+\.\d MB in \d+\.\d s, checked\n$/);
    expect([made.status, statSync(file).mode & 0o777]).toEqual([0, 0o600]);
    await folder.run(["keys", "create", "--name", "later"]);
    const restored = await folder.run(["keys", "list"], { ATTUNE_DATABASE_URL: "sqlite:copy.db" });
    expect(restored.stdout).toContain("kept");
    expect(restored.stdout).not.toContain("later");
    const again = await folder.run(["backup", "copy.db"]);
    expect(again.status).toBe(1);
    expect(again.stderr).toContain("copy.db exists: name a new file, or delete it first");
  });

  it("is made while a service runs, and in the place of its file is served from", { timeout: 180_000 }, async () => {
    const place = createCliFolder();
    onTestFinished(() => place.remove());
    writeFileSync(join(place.path, "attune.yaml"), "dashboard: { enabled: false }\n");
    const environment = { ATTUNE_PORT: "0", ATTUNE_BOOTSTRAP_KEY: KEY };
    const call = async (url: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
      const answer = await fetch(`${url}${path}`, {
        headers,
        ...(body && { method: "POST", body: JSON.stringify(body) }),
      });
      return { id: ((await answer.json()) as { id?: string }).id, status: answer.status };
    };
    const serve = async () => {
      const cli = place.start(["serve", "--log-level", "error"], environment);
      const { url } = await untilServing(cli);
      const ask = async () => (await call(url, "/v1/responses", { model: "attune/gpt-6-astra", input: "Hi" })).id ?? "";
      const stop = async () => {
        cli.process.kill("SIGTERM");
        return (await cli.result).status;
      };
      return { ask, stop, statusOf: async (id: string) => (await call(url, `/v1/responses/${id}`)).status };
    };
    const file = join(place.path, "data", "attune.db");
    const first = await serve();
    const kept = await first.ask();
    await waitUntil(() => {
      const database = new DatabaseSync(file, { readOnly: true });
      const found = database.prepare("select 1 from inference where id = ?").get(kept);
      database.close();
      return found !== undefined;
    });
    expect(await place.run(["backup", "copy.db"])).toMatchObject({ status: 0 });
    const lost = await first.ask();
    expect([await first.statusOf(lost), await first.stop()]).toEqual([200, 0]);
    for (const ending of ["", "-wal", "-shm"]) rmSync(`${file}${ending}`, { force: true });
    renameSync(join(place.path, "copy.db"), file);
    const second = await serve();
    expect([await second.statusOf(kept), await second.statusOf(lost)]).toEqual([200, 404]);
    expect(await second.statusOf(await second.ask())).toBe(200);
    expect(await second.stop()).toBe(0);
  });

  it("is refused on PostgreSQL with what makes one", async () => {
    const url = "postgresql://user:s3cret@127.0.0.1:1/attune";
    const { status, stderr } = await folder.run(["backup", "other.db"], { ATTUNE_DATABASE_URL: url });
    expect(status).toBe(1);
    expect(stderr).toBe(
      "attune: the database is PostgreSQL: make its backup with pg_dump, or as a snapshot of your provider\n",
    );
  });
});

describe.concurrent("a database that cannot be opened", () => {
  it.each([
    ["migrate", "sqlite:text.db", "file is not a database"],
    ["keys list", "sqlite:text.db/attune.db", "text.db"],
    ["serve", "sqlite:text.db", "file is not a database"],
    ["serve --database-wait 0", "postgresql://user:s3cret@127.0.0.1:1/attune", "127.0.0.1:1"],
    [
      "serve --database-wait 0",
      "postgresql://user:s3cret@localhost:1/attune",
      "localhost:1/attune: connect ECONNREFUSED",
    ],
    ["migrate", "sqlite:/proc/none/attune.db", "cannot migrate the database at /proc/none/attune.db: ENOENT"],
    [
      "migrate",
      "mysql://user:s3cret@127.0.0.1:1/attune",
      "ATTUNE_DATABASE_URL must begin with sqlite: or postgresql://",
    ],
  ])("ends %s on %s with a message", async (command, url, message) => {
    const { status, stdout, stderr } = await folder.run(command.split(" "), { ATTUNE_DATABASE_URL: url });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^attune: /);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/s3cret|\n\s+at /);
  });
});

describe("attune serve", () => {
  it("tells of a port in use, and makes no key that nobody sees", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    const address = await new Promise((resolve) => other.once("listening", () => resolve(other.address())));
    const { port } = address as { port: number };
    const environment = { ATTUNE_DATABASE_URL: "sqlite:fresh.db", ATTUNE_PORT: String(port) };
    const { status, stdout, stderr } = await folder.run(["serve", "--log-level", "silent"], environment);
    other.close();
    expect([status, stdout]).toEqual([1, ""]);
    // Before it, there may be a line that the dashboard is being built.
    expect(stderr.trimEnd().split("\n").at(-1)).toBe(
      `attune: 127.0.0.1:${port} is in use: stop what listens there, set ATTUNE_PORT to another port, or share it: server.reusePort`,
    );
    const { stdout: list } = await folder.run(["keys", "list"], environment);
    expect(list).toBe("PUBLIC ID  NAME  PERMISSIONS  TAGS  LIMITS  STATE  CREATED  LAST USED\n");
  });
});
