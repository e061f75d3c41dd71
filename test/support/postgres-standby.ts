import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import type { PostgresServer } from "./postgres.ts";

/** What a base backup leaves out: the new server's own files, and what it gets from the other by replication. */
const LEFT_OUT = ["postmaster.pid", "postmaster.opts", "pg_wal/*", "pg_replslot/*", "pg_stat_tmp/*", "pg_dynshmem/*"];

/** Runs `work` with a connection of an administrator. */
export async function administer<T>(port: number, work: (client: Client) => Promise<T>, database = "postgres") {
  const client = new Client({ host: "127.0.0.1", port, user: "postgres", database });
  // It reports the end of its server as an event, and as a failure of what runs.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Copies a running server's data into a folder, as an administrator does without tools: a base backup, which a new
 * server begins from and completes by replication.
 */
export async function copyRunning(port: number, from: string, to: string): Promise<void> {
  await administer(port, async (client) => {
    await client.query("select pg_backup_start('standby', true)");
    const leaveOut = LEFT_OUT.map((name) => `--exclude=./${name}`).join(" ");
    await runShell(
      `tar --warning=no-file-changed --warning=no-file-removed -C "$0" ${leaveOut} -cf - . | tar -C "$1" -xf -`,
      [from, to],
    );
    const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
    await runShell('printf %s "$1" >"$0/backup_label" && : >"$0/standby.signal" && chown -R --reference="$0" "$0"', [
      to,
      rows[0]?.labelfile ?? "",
    ]);
  });
}

/** Has a server commit only what its standby has; resolves once the standby follows. */
export async function followClosely(port: number): Promise<void> {
  await administer(port, async (client) => {
    await client.query("alter system set synchronous_standby_names = '*'");
    await client.query("select pg_reload_conf()");
    for (;;) {
      const { rows } = await client.query("select from pg_stat_replication where sync_state = 'sync'");
      if (rows.length > 0) return;
      await delay(100);
    }
  });
}

/** Makes a standby the server that takes writes; it waits for no standby of its own. */
export async function promote(standby: PostgresServer): Promise<void> {
  await administer(standby.port, async (client) => {
    await client.query("select pg_promote()");
    await client.query("alter system reset synchronous_standby_names");
    await client.query("select pg_reload_conf()");
  });
}

function runShell(script: string, args: readonly string[]): Promise<void> {
  const child = spawn("sh", ["-c", script, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  child.stderr.on("data", (text) => {
    complaint += text;
  });
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (status) => (status === 0 ? done() : failed(new Error(`${status}: ${complaint}`))));
  });
}
