import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

const GRANT = ": make this user the owner of the database, or give it that right";

describe("attune serve on a PostgreSQL that does not let it in", () => {
  let folder: CliFolder;
  let server: PostgresServer;
  let port: string;

  beforeAll(async () => {
    folder = createCliFolder();
    server = await startPostgres();
    port = new URL(server.createDatabaseUrl()).port;
    const client = new Client({ host: "127.0.0.1", port: Number(port), user: "postgres", database: "postgres" });
    await client.connect();
    await client.query("create role limited login password 's3cret'");
    await client.query("create database taken");
    // The server of the tests trusts everybody: this one has to give its password.
    const { rows } = await client.query<{ hba_file: string }>("show hba_file");
    const rules = "host all limited 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n";
    await client.query(`copy (select unnest(string_to_array('${rules}', e'\n'))) to '${rows[0]?.hba_file}'`);
    await client.query("select pg_reload_conf()");
    await client.end();
  });

  afterAll(async () => {
    await folder.remove();
    await server.stop();
  });

  const serve = (user: string, database: string, environment: Readonly<Record<string, string>> = {}) =>
    folder.run(["serve"], {
      ...environment,
      ATTUNE_PORT: "0",
      ATTUNE_DATABASE_URL: `postgresql://${user}@127.0.0.1:${port}/${database}`,
    });

  const CASES: [user: string, database: string, reason: string][] = [
    ["limited:wr0ng", "taken", 'password authentication failed for user "limited"'],
    ["limited", "taken", "the server asks for a password: put it into the URL, or set PGPASSWORD"],
    ["limited:s3cret", "new", `permission denied to create database${GRANT}`],
    ["limited:s3cret", "taken", `permission denied for schema public${GRANT}`],
  ];

  it.each(CASES)("as %s, on the database %s: %s", async (user, database, reason) => {
    const { status, stdout, stderr } = await serve(user, database);
    const place = `postgresql://127.0.0.1:${port}/${database}`;
    expect([status, stdout, stderr]).toEqual([1, "", `attune: cannot open the database at ${place}: ${reason}\n`]);
  });

  it("takes the password from the environment", async () => {
    const { stderr } = await serve("limited", "taken", { PGPASSWORD: "s3cret" });
    expect(stderr).toContain("permission denied for schema public");
    expect(stderr).not.toContain("s3cret");
  });
});
