import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { toBinary } from "@bufbuild/protobuf";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { encodeRequest } from "../../../src/hub/request-bytes.ts";
import type { InferenceRecord } from "../../../src/inference/ports.ts";
import { SILENT_LOG } from "../../../src/store/types/log.ts";
import { recordToAttempts, recordToRow } from "../../../src/store/write/recorder/record-to-row.ts";
import { SpoolRecorder } from "../../../src/store/write/recorder/spool-recorder.ts";
import { type DrainReport, NOTHING_DRAINED } from "../../../src/store/write/spool/drain.ts";
import { encodeInference } from "../../../src/store/write/spool/entry.ts";
import type { Position } from "../../../src/store/write/spool/position.ts";
import { Spool } from "../../../src/store/write/spool/spool.ts";
import { benchRecord } from "./bench-record.ts";

/** What it costs to take one record. */
export interface OfferSample {
  readonly meanMicros: number;
  readonly p50Micros: number;
  readonly p99Micros: number;
  readonly cpuMicros: number;
}

/** A way to keep records until they are written. */
export interface Keeper {
  readonly name: string;
  take(record: InferenceRecord): void;
  close(): unknown;
}

/** The recorder, with a drain that has everything written at once. */
export function spoolKeeper(folder: string): Keeper {
  const spool = new Spool({ root: join(folder, "spool"), segmentBytes: 8 * 2 ** 20, onError() {} });
  const done = (through: Position): DrainReport => ({ ...NOTHING_DRAINED, through });
  const recorder = new SpoolRecorder({
    spool,
    startDrain: (onReport) => ({ announce: (end) => onReport(done(end)), take() {}, close: async () => {} }),
    log: SILENT_LOG,
    maxBytes: 2 ** 30,
    whenFull: "shed",
    flushDelayMs: () => 20,
    closeTimeoutMs: 1000,
    onClosed() {},
  });
  return {
    name: "offer(): the spool",
    take: (record) => recorder.offer(record),
    close: () => recorder.close(),
  };
}

/** Only the append to a file of 4 KB that are there: what the system itself takes. */
export function appendKeeper(folder: string): Keeper {
  const file = openSync(join(folder, "append.bin"), "w");
  const bytes = Buffer.concat(encode(benchRecord()));
  return { name: "4 KB, appended to a file", take: () => void writeSync(file, bytes), close: () => closeSync(file) };
}

/** Only what all ways share: the row as JSON, and both messages as protobuf. */
export function noKeeper({ hasAttempts }: { readonly hasAttempts: boolean }): Keeper {
  const name = hasAttempts ? "encoded, and kept nowhere" : "the same without attempts";
  return { name, take: (record) => void encode(hasAttempts ? record : { ...record, attempts: [] }), close() {} };
}

function encode(record: InferenceRecord): Uint8Array[] {
  const request = encodeRequest(record.input);
  const response = toBinary(GenerateResponseSchema, record.output);
  return encodeInference({ row: recordToRow(record), attempts: recordToAttempts(record), request, response });
}

/** The same content in a table, in a transaction of its own, deleted a thousand at a time as if it were written. */
export function sqliteKeeper(folder: string, synchronous: "off" | "normal"): Keeper {
  const database = new DatabaseSync(join(folder, `spool-${synchronous}.db`));
  database.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous};
    create table spool (id integer primary key, head blob, facts blob, length blob, request blob, response blob)`);
  const insert = database.prepare("insert into spool (head, facts, length, request, response) values (?, ?, ?, ?, ?)");
  const remove = database.prepare("delete from spool where id <= ?");
  let taken = 0;
  return {
    name: `node:sqlite, synchronous = ${synchronous}`,
    take(record) {
      insert.run(...encode(record));
      taken += 1;
      if (taken % 1000 === 0) remove.run(taken);
    },
    close: () => database.close(),
  };
}

/** Gives a keeper records, a few in each iteration of the event loop. */
export async function measureOffer(keeper: Keeper, records: number): Promise<OfferSample> {
  const micros: number[] = [];
  const cpu = { user: 0, system: 0 };
  for (let taken = 0; taken < records; taken += 20) {
    const batch = Array.from({ length: 20 }, benchRecord);
    const before = process.cpuUsage();
    for (const record of batch) {
      const begin = process.hrtime.bigint();
      keeper.take(record);
      micros.push(Number(process.hrtime.bigint() - begin) / 1000);
    }
    const used = process.cpuUsage(before);
    cpu.user += used.user;
    cpu.system += used.system;
    await nextTurn();
  }
  micros.sort((a, b) => a - b);
  const at = (part: number) => micros[Math.floor(micros.length * part)] ?? Number.NaN;
  return {
    meanMicros: micros.reduce((sum, value) => sum + value, 0) / micros.length,
    p50Micros: at(0.5),
    p99Micros: at(0.99),
    cpuMicros: (cpu.user + cpu.system) / micros.length,
  };
}
