/** `npm run bench:framing`: what it costs to write a stream of 64 chunks by node:http's framing and by ours, in one process by turns. */
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import { median } from "../support/quantile.ts";
import { startMeasured } from "./measured-process.ts";

const { values: options } = parseArgs({
  options: { rounds: { type: "string", default: "9" }, help: { type: "boolean", short: "h", default: false } },
});
if (options.help) {
  console.log("usage: npm run bench:framing -- [--rounds 9]");
  process.exit(0);
}

const WAYS = { "node:http": "/", ours: "/ours" };
const server = await startMeasured("framing-process.ts");

/** CPU of a stream, us. */
async function measure(path: string): Promise<number> {
  const before = await server.read();
  const done = await autocannon({ url: server.url + path, connections: 16, duration: 2 });
  return ((await server.read()).cpuMicros - before.cpuMicros) / done["2xx"];
}

const micros = new Map<string, number[]>(Object.keys(WAYS).map((way) => [way, []]));
for (let round = 0; round <= Number(options.rounds); round++) {
  for (const [way, path] of Object.entries(WAYS)) {
    const took = await measure(path);
    // The first round warms up.
    if (round > 0) micros.get(way)?.push(took);
  }
}
const rows = [...micros].map(([way, all]) => {
  const us = (value: number) => Number(value.toFixed(0));
  return { way, "CPU us/stream": us(median(all)), least: us(Math.min(...all)), most: us(Math.max(...all)) };
});
console.table(rows);
console.log(JSON.stringify(rows));
await server.stop();
