import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createChangeFeed } from "../../../../src/store/changes/create-change-feed.ts";
import { openStore } from "../../../../src/store/database/open-store.ts";
import { withStatementLimit } from "../../../../src/store/database/statement-limit.ts";
import { SILENT_LOG } from "../../../../src/store/types/log.ts";
import { type PostgresServer, startPostgres } from "../../../support/postgres.ts";
import { startTcpProxy, type TcpProxy } from "../../../support/tcp-proxy.ts";
import { portOf } from "../../../support/tls-postgres.ts";
import { waitUntil } from "../../../support/wait.ts";

describe("a PostgreSQL of two hosts, of which the first takes connections and never answers", () => {
  let server: PostgresServer;
  let silent: TcpProxy;

  beforeAll(async () => {
    server = await startPostgres();
    silent = await startTcpProxy(portOf(server));
    silent.freeze();
  });

  afterAll(async () => {
    await silent.close();
    await server.stop();
  });

  it("is reached on the second, also by the connection that is told of changes", async () => {
    const hosts = `127.0.0.1:${silent.port},127.0.0.1:${portOf(server)}`;
    const url = `postgresql://postgres@${hosts}/attune?connect_timeout=5`;
    // Each connection waits for the first host, which takes as long as a statement may.
    const store = await withStatementLimit(60_000, () => openStore(url));
    const feed = createChangeFeed(store, SILENT_LOG);
    await new Promise<void>((done) => feed.onListening(done));
    expect(await sessions()).toBeGreaterThan(1);
    await feed.close();
    await store.close();
    // None is left behind on the way to a host.
    await waitUntil(async () => (await sessions()) === 0);
  });

  async function sessions(): Promise<number> {
    const client = new Client({
      host: server.socketFolder,
      port: portOf(server),
      user: "postgres",
      database: "postgres",
    });
    await client.connect();
    const { rowCount } = await client.query("select from pg_stat_activity where datname = 'attune'");
    await client.end();
    return rowCount ?? 0;
  }
});
