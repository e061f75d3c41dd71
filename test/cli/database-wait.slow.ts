import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { untilServing } from "../support/banner.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { waitUntil } from "../support/wait.ts";

describe("attune serve on a PostgreSQL that cannot be reached", () => {
  let folder: CliFolder;
  let server: PostgresServer;
  let port: string;

  beforeAll(async () => {
    folder = createCliFolder();
    server = await startPostgres();
    port = new URL(server.createDatabaseUrl()).port;
  });

  afterAll(async () => {
    await folder.remove();
    await server.stop();
  });

  const serve = (databaseUrl: string, ...flags: string[]) =>
    folder.start(["serve", "--print-secrets", ...flags], { ATTUNE_PORT: "0", ATTUNE_DATABASE_URL: databaseUrl });

  it("waits for it, says so, and starts once it is there", async () => {
    await server.stopServer();
    const cli = serve(`postgresql://postgres:s3cret@127.0.0.1:${port}/late`);
    let log = "";
    cli.process.stderr.on("data", (text: string) => {
      log += text;
    });
    const refused = `cannot open the database at postgresql://127.0.0.1:${port}/late: connect ECONNREFUSED 127.0.0.1:${port}`;
    await waitUntil(() => log.includes(`${refused}; trying again for up to 30 s`));
    expect(cli.printed()).toBe("");
    await server.startServer();
    expect((await untilServing(cli)).key).not.toBe("");
    expect(log).not.toContain("s3cret");
    cli.process.kill("SIGTERM");
    expect((await cli.result).status).toBe(0);
  });

  it("gives up after the time that it is given", async () => {
    await server.stopServer();
    const start = performance.now();
    const { status, stdout, stderr } = await serve(
      `postgresql://u:s3cret@127.0.0.1:${port}/late`,
      "--database-wait",
      "2",
    ).result;
    await server.startServer();
    expect([status, stdout]).toEqual([1, ""]);
    const lines = stderr.trimEnd().split("\n");
    expect(lines.at(-1)).toBe(
      `attune: cannot open the database at postgresql://127.0.0.1:${port}/late: connect ECONNREFUSED 127.0.0.1:${port}`,
    );
    expect([2, 3]).toContain(lines.length);
    expect(stderr).not.toContain("s3cret");
    expect(performance.now() - start).toBeLessThan(15_000);
  });

  it("does not wait where waiting does not help", async () => {
    const { status, stdout, stderr } = await serve(`postgresql://nobody:s3cret@127.0.0.1:${port}/late`).result;
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      `attune: cannot open the database at postgresql://127.0.0.1:${port}/late: role "nobody" does not exist\n`,
    );
  });
});
