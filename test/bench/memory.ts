/**
 * `npm run bench:memory`: what `attune serve` holds while it is called with all that it can take, from its start on,
 * one kind of request after another. Linux only: processes are read in /proc.
 */

import { setTimeout as delay } from "node:timers/promises";
import { readOptions } from "../support/read-options.ts";
import { callFreely } from "./call-freely.ts";
import { type MeasuredProcess, startMeasured } from "./measured-process.ts";
import { startProgram } from "./serve-program.ts";
import { SHAPES } from "./shapes.ts";

const USAGE = `usage: npm run bench:memory -- [--seconds 20] [--idle 0] [--connections 16] [--shape NAME --shape NAME] [--workers 0]

  --seconds S    for how long each kind of request is sent
  --idle S       for how long nothing happens before the first
  --shape NAME   a kind of request of npm run bench; several are sent in their order
  --workers N    attune serve --workers N, the sum over its processes; 0 is attune serve without workers`;
const options = readOptions(USAGE, {
  seconds: { type: "string", default: "20" },
  idle: { type: "string", default: "0" },
  connections: { type: "string", default: "16" },
  shape: { type: "string", multiple: true, default: ["unary", "prompt of 32 KB", "stream of 64 chunks"] },
  workers: { type: "string", default: "0" },
});

const shapes = options.shape.map((name) => {
  const shape = SHAPES.find((known) => known.name === name);
  if (shape === undefined)
    throw new Error(`no request is called '${name}': ${SHAPES.map((known) => known.name).join(", ")}`);
  return shape;
});

const upstream = await startMeasured("upstream-process.ts");
const service = await startProgram(Number(options.workers), { upstream: upstream.url });
const rows = [{ after: "its start", requests: 0, "RSS MiB": await rssOf(service) }];
if (options.idle !== "0") {
  await delay(Number(options.idle) * 1000);
  rows.push({ after: `${options.idle} s without requests`, requests: 0, "RSS MiB": await rssOf(service) });
}
const load = { connections: Number(options.connections), seconds: Number(options.seconds) };
for (const shape of shapes) {
  console.error(`${shape.name}, for ${options.seconds} s`);
  const { calls, failed } = await callFreely(service, { ...load, requests: [shape] });
  if (failed > 0) throw new Error(`${failed} requests failed`);
  rows.push({ after: shape.name, requests: calls, "RSS MiB": await rssOf(service) });
}
console.table(rows);
console.log(JSON.stringify(rows));
await service.stop();
await upstream.stop();

async function rssOf({ read }: MeasuredProcess): Promise<number> {
  return Math.round((await read()).rssBytes / 2 ** 20);
}
