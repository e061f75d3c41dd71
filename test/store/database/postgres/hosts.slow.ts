import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stateByError } from "../../../../src/lib/database-state.ts";
import { createChangeFeed } from "../../../../src/store/changes/create-change-feed.ts";
import { readRows } from "../../../../src/store/database/executor.ts";
import { openReadOnly, openStore } from "../../../../src/store/database/open-store.ts";
import { openStoreWhenReady } from "../../../../src/store/database/open-when-ready.ts";
import { SILENT_LOG } from "../../../../src/store/types/log.ts";
import { freePort } from "../../../support/free-port.ts";
import { type PostgresServer, startPostgres } from "../../../support/postgres.ts";
import { startTcpProxy, type TcpProxy } from "../../../support/tcp-proxy.ts";
import { certificate, portOf, startTlsPostgres } from "../../../support/tls-postgres.ts";

/** An ErrorResponse of PostgreSQL. */
function errorReply(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from("E"), length, fields]);
}

describe("openStore() on PostgreSQL", () => {
  let server: PostgresServer;
  let readOnly: PostgresServer;
  let silent: TcpProxy;
  let deadPort: number;

  beforeAll(async () => {
    [server, readOnly] = await Promise.all([
      startTlsPostgres(),
      startPostgres({ settings: ["default_transaction_read_only=on"] }),
    ]);
    silent = await startTcpProxy(portOf(server));
    silent.freeze();
    deadPort = await freePort();
  });

  afterAll(() => Promise.all([server.stop(), readOnly.stop(), silent.close()]));

  const TLS = `sslmode=verify-full&sslrootcert=${certificate("authority.crt")}`;
  const onPorts = (ports: readonly number[], parameters = "", database = "attune") =>
    `postgresql://postgres@${ports.map((port) => `localhost:${port}`).join(",")}/${database}?connect_timeout=60&${parameters}`;

  /** Returns the port of the server that a store is on. */
  async function portUsed(url: string): Promise<number | undefined> {
    const store = await openReadOnly(url, 200);
    try {
      const [row] = await readRows<{ port: number }>(store, "select current_setting('port')::int as port", []);
      return row?.port;
    } finally {
      await store.close();
    }
  }

  /** Resolves to the error of a store that cannot be opened. */
  async function openError(url: string): Promise<string> {
    return await openStore(url).then(
      () => "none",
      (error: Error) => error.message,
    );
  }

  it("has every connection encrypted, and known by the name of the application", async () => {
    const store = await openStore(onPorts([portOf(server)], `${TLS}&application_name=reports`));
    const feed = createChangeFeed(store, SILENT_LOG);
    const listening = new Promise<void>((done) => feed.onListening(done));
    await listening;
    const sql =
      "select application_name as name, ssl, query from pg_stat_activity join pg_stat_ssl using (pid) " +
      "where datname = current_database() and backend_type = 'client backend'";
    const rows = await readRows<{ name: string; ssl: boolean; query: string }>(store, sql, []);
    await feed.close();
    await store.close();
    expect(rows.length).toBeGreaterThan(1);
    expect(new Set(rows.map(({ name, ssl }) => `${name} ${ssl}`))).toEqual(new Set(["reports true"]));
  });

  it("calls itself attune where it is not told otherwise, and passes options on", async () => {
    const store = await openStore(onPorts([portOf(server)], "options=-c%20work_mem%3D7MB"));
    const sql = "select current_setting('application_name') as name, current_setting('work_mem') as memory";
    expect(await readRows(store, sql, [])).toEqual([{ name: "attune", memory: "7MB" }]);
    await store.close();
  });

  it("tries the next host where one is dead", async () => {
    expect(await portUsed(onPorts([deadPort, portOf(server)], TLS, "postgres"))).toBe(portOf(server));
  });

  it("names every host where none takes the connection", async () => {
    const error = await openError(onPorts([deadPort, silent.port], "connect_timeout=1"));
    const place = `postgresql://localhost:${deadPort},localhost:${silent.port}/attune`;
    expect(error.startsWith(`cannot open the database at ${place}: localhost:${deadPort}: `)).toBe(true);
    expect(error.endsWith(`; localhost:${silent.port}: no answer in 1 s`)).toBe(true);
  });

  it("gives up a server that takes the connection and never answers", async () => {
    const error = await openError(`postgresql://u:s3cret@127.0.0.1:${silent.port}/attune?connect_timeout=1`);
    expect(error).toBe(`cannot open the database at postgresql://127.0.0.1:${silent.port}/attune: no answer in 1 s`);
  });

  it("tries the next host where one starts up", async () => {
    const starting = createServer((socket) => {
      socket.once("data", () => socket.end(errorReply("57P03", "the database system is starting up")));
    });
    await new Promise<void>((done) => starting.listen(0, "127.0.0.1", done));
    const { port } = starting.address() as AddressInfo;
    const ports = [port, portOf(readOnly)];
    expect(await portUsed(onPorts(ports, "sslmode=disable", "postgres"))).toBe(portOf(readOnly));
    expect(await openError(onPorts([port], "sslmode=disable"))).toMatch(/: the database system is starting up$/);
    await new Promise((done) => starting.close(done));
  });

  it("asks no other host where one refuses", async () => {
    const hosts = `localhost:${portOf(server)},localhost:${portOf(readOnly)}`;
    expect(await openError(`postgresql://reader:wrong-s3cret@${hosts}/password`)).toBe(
      `cannot open the database at postgresql://${hosts}/password: password authentication failed for user "reader"`,
    );
  });

  it("is away where it cannot be connected to, whatever the reason: what is written waits", async () => {
    const urls = [
      onPorts([deadPort, silent.port], "connect_timeout=1"),
      onPorts([portOf(readOnly)], "sslmode=require", "postgres"),
      onPorts([portOf(server)], `sslmode=verify-ca&sslrootcert=${certificate("other-authority.crt")}`, "postgres"),
      onPorts([portOf(readOnly)], "target_session_attrs=standby", "postgres"),
    ];
    const states = await Promise.all(urls.map((url) => portUsed(url).catch(stateByError)));
    expect(states).toEqual(["away", "away", "away", "away"]);
  });

  it("is waited for where a server may yet come, and not where something must be changed", async () => {
    const onWait = (error: Error) => {
      throw new Error(`waits: ${error.message}`);
    };
    const errorOf = (url: string) =>
      openStoreWhenReady(url, { waitMs: 60_000, onWait }).then(
        () => "none",
        (error: Error) => error.message,
      );
    expect(await errorOf("postgresql:///attune?host=/nowhere&port=1")).toMatch(/^waits: .*connect ENOENT/);
    expect(await errorOf(onPorts([deadPort, deadPort]))).toMatch(/^waits: cannot open/);
    expect(await errorOf(onPorts([portOf(readOnly)], "target_session_attrs=standby"))).toMatch(/^waits: cannot open/);
    expect(await errorOf(onPorts([portOf(readOnly)], "sslmode=require"))).toMatch(
      /^cannot open .* doesn't support TLS/,
    );
  });

  it("takes the first host of the kind that is asked for", async () => {
    const ports = [portOf(readOnly), portOf(server)];
    const used = (kind: string) => portUsed(onPorts(ports, `target_session_attrs=${kind}`, "postgres"));
    expect(await used("any")).toBe(portOf(readOnly));
    expect(await used("read-only")).toBe(portOf(readOnly));
    expect(await used("read-write")).toBe(portOf(server));
    expect(await used("primary")).toBe(portOf(readOnly));
    expect(await used("prefer-standby")).toBe(portOf(readOnly));
    expect(await openError(onPorts(ports, "target_session_attrs=standby"))).toMatch(
      /: localhost:\d+: the server is not what target_session_attrs=standby asks for; localhost:\d+: the server is not/,
    );
  });

  it("creates a database on the host of that kind", async () => {
    const url = onPorts([portOf(server), portOf(readOnly)], "target_session_attrs=read-write", "created");
    await (await openStore(url)).close();
    expect(await portUsed(onPorts([portOf(server)], "", "created"))).toBe(portOf(server));
  });
});
