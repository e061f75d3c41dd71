/**
 * `npm run bench:idle`: what open streams take in memory while their model thinks, in Attune and in a bare node:http
 * pipe. The upstream sends one token of each and then nothing.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, type Dispatcher } from "undici";
import { startPostgres } from "../support/postgres.ts";
import { median } from "../support/quantile.ts";
import { readOptions } from "../support/read-options.ts";
import { type MeasuredProcess, startMeasured, startServing } from "./measured-process.ts";
import { HELD_SHAPES, type Shape } from "./shapes.ts";

const USAGE = "usage: npm run bench:idle -- [--streams 1000] [--rounds 3] [--engine sqlite|postgres]";
const options = readOptions(USAGE, {
  streams: { type: "string", default: "1000" },
  rounds: { type: "string", default: "3" },
  engine: { type: "string", default: "sqlite" },
});

const STREAMS = Number(options.streams);
/** Streams that are opened at the same time: to open all at once would measure the memory of that. */
const OPENED_AT_ONCE = 50;
/** For how long nothing comes before the memory is read, so that garbage of the beginning may go. */
const QUIET_MS = 5000;

/** Opens a stream and resolves when its first bytes have come; throws if it is refused. */
async function openStream(dispatcher: Dispatcher, target: MeasuredProcess, shape: Shape): Promise<void> {
  const isPipe = target.key === "";
  const { statusCode, body } = await dispatcher.request({
    origin: target.url,
    path: isPipe ? shape.pipePath : shape.path,
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${target.key}` },
    body: isPipe ? shape.pipeBody : shape.body,
  });
  if (statusCode !== 200) throw new Error(`a stream was answered with ${statusCode}: ${await body.text()}`);
  await new Promise<void>((resolve, reject) => body.once("data", () => resolve()).on("error", reject));
}

/** Opens streams and returns what closes them. */
async function openStreams(target: MeasuredProcess, shape: Shape, streams: number): Promise<() => Promise<void>> {
  const dispatcher = new Agent({ connections: null, headersTimeout: 60_000, bodyTimeout: 0 });
  for (let opened = 0; opened < streams; opened += OPENED_AT_ONCE) {
    const count = Math.min(OPENED_AT_ONCE, streams - opened);
    await Promise.all(Array.from({ length: count }, () => openStream(dispatcher, target, shape)));
  }
  return () => dispatcher.destroy();
}

/** Resolves to the KB that each of the streams takes in a process that has just begun. */
async function measure(target: MeasuredProcess, shape: Shape): Promise<number> {
  const close = await openStreams(target, shape, OPENED_AT_ONCE);
  await close();
  await delay(QUIET_MS);
  const before = await target.read();
  const closeAll = await openStreams(target, shape, STREAMS);
  await delay(QUIET_MS);
  const open = await target.read();
  await closeAll();
  return (open.rssBytes - before.rssBytes) / 1024 / STREAMS;
}

const folder = mkdtempSync(join(tmpdir(), "attune-idle-"));
const upstream = await startMeasured("upstream-process.ts");
const postgres = options.engine === "postgres" ? await startPostgres() : undefined;
/** Each measurement has a process of its own: what one holds once, it keeps for the next streams. */
const starts = {
  "bare pipe": () => startMeasured("pipe-process.ts", { BENCH_UPSTREAM: upstream.url }),
  attune: () =>
    startServing("attune-process.ts", {
      BENCH_UPSTREAM: upstream.url,
      BENCH_FOLDER: mkdtempSync(join(folder, "service-")),
      ...(postgres && { BENCH_DATABASE: postgres.createDatabaseUrl() }),
    }),
};
const samples = new Map<string, number[]>();
for (let round = 1; round <= Number(options.rounds); round++) {
  for (const shape of HELD_SHAPES) {
    for (const [name, start] of Object.entries(starts)) {
      const target = await start();
      const key = `${name}|${shape.name}`;
      samples.set(key, [...(samples.get(key) ?? []), await measure(target, shape)]);
      await target.stop();
    }
  }
  console.error(`round ${round} of ${options.rounds}`);
}
const rows = [...samples].map(([key, own]) => {
  const [target, prompt] = key.split("|");
  return { streams: STREAMS, prompt, target, "KB each": Math.round(median(own)) };
});
console.table(rows);
console.log(JSON.stringify({ rounds: Number(options.rounds), engine: options.engine, rows }));
await upstream.stop();
await postgres?.stop();
rmSync(folder, { recursive: true, force: true });
