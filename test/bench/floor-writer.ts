/**
 * The thread of floor-process.ts that writes records to SQLite: by hand, one row each, a transaction for what has come.
 */
import { openSync, readSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const folder = String(workerData);
const file = openSync(join(folder, "records"), "r");
const database = new DatabaseSync(join(folder, "floor.db"));
database.exec(`pragma page_size = 16384; pragma journal_mode = wal; pragma synchronous = normal;
  create table record (id text primary key, key text, model text, cost integer, input integer, output integer, latency real, at integer, status text,
    request blob, response blob) without rowid;
  create index record_at on record (key, at);`);
const insert = database.prepare("insert into record values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
const HEAD_BYTES = 12;

parentPort?.on("message", ({ begin, end }: { begin: number; end: number }) => {
  const bytes = Buffer.allocUnsafe(end - begin);
  readSync(file, bytes, 0, bytes.length, begin);
  database.exec("begin");
  for (let at = 0; at < bytes.length; ) {
    const [facts, request, response] = [0, 4, 8].map((part) => bytes.readUInt32LE(at + part)) as [
      number,
      number,
      number,
    ];
    const factsAt = at + HEAD_BYTES;
    const [requestAt, responseAt] = [factsAt + facts, factsAt + facts + request];
    at = responseAt + response;
    const values = Object.values(JSON.parse(bytes.toString("utf8", factsAt, requestAt))) as (string | number)[];
    insert.run(...values, bytes.subarray(requestAt, responseAt), bytes.subarray(responseAt, at));
  }
  database.exec("commit");
  parentPort?.postMessage(bytes.length);
});
