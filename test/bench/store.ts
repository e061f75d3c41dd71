/**
 * `npm run bench:store`: what it costs to take a record, to bring it into the database, and what the serving process
 * feels of it. Rounds of all variants are interleaved and medians are shown: they can be compared, absolute numbers
 * depend on the machine.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../support/postgres.ts";
import { median } from "../support/quantile.ts";
import { readOptions } from "../support/read-options.ts";
import { startMeasured, startServing } from "./measured-process.ts";
import { measureChain } from "./store/measure-chain.ts";
import { measureEntities, openEntityReads } from "./store/measure-entities.ts";
import { appendKeeper, measureOffer, noKeeper, spoolKeeper, sqliteKeeper } from "./store/measure-offer.ts";
import { measureProcesses } from "./store/measure-processes.ts";
import { measureServing } from "./store/measure-serving.ts";
import { measureWrite, measureWriters } from "./store/measure-write.ts";

const USAGE =
  "usage: npm run bench:store -- [--rounds 5] [--records 10000] [--rate 500] [--seconds 6] [--parts offer,write,writers,chain,paced,processes,entities,serving]";
const options = readOptions(USAGE, {
  rounds: { type: "string", default: "5" },
  records: { type: "string", default: "10000" },
  rate: { type: "string", default: "500" },
  parts: { type: "string", default: "offer,write,writers,chain,paced,processes,entities,serving" },
  seconds: { type: "string", default: "6" },
});
const rounds = Number(options.rounds);
const records = Number(options.records);

type Sample = object;
type Variant<T extends Sample> = readonly [name: string, measure: () => Promise<T>];

/** Measures all variants, round after round; the first round warms up and is not counted. Returns the medians. */
async function interleave<T extends Sample>(part: string, title: string, variants: readonly Variant<T>[]) {
  if (!options.parts.split(",").includes(part)) return undefined;
  const samples = new Map<string, T[]>(variants.map(([name]) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, measure] of variants) {
      const sample = await measure();
      if (round > 0) samples.get(name)?.push(sample);
    }
    console.error(`${title}: round ${round} of ${rounds}${round === 0 ? " (warm-up)" : ""}`);
  }
  const rows = Object.fromEntries([...samples].map(([name, list]) => [name, medians(list)]));
  console.log(title);
  console.table(rows);
  return rows;
}

function medians(samples: readonly Sample[]): Record<string, number> {
  const [first = {}] = samples;
  return Object.fromEntries(
    Object.keys(first).map((key) => {
      const middle = median(samples.map((sample) => Number(Reflect.get(sample, key))));
      return [key, Number(middle.toFixed(2))];
    }),
  );
}

function servingFolder(name: string, databaseUrl: string, upstream: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  const model = "{ upstream: up, model: bench }";
  const price = "{ input: 1.25, output: 10, cacheRead: 0.125, cacheWrite5m: 1.5625, cacheWrite1h: 2.5 }";
  const text = `
server: { port: 0 }
database: { url: "${databaseUrl}" }
spool: { folder: "${join(path, "spool")}" }
upstreams: { up: { kind: openai-chat, baseUrl: "${upstream}" } }
models: [{ name: bench, family: chat, purpose: bench, contextWindow: 100000, maxOutputTokens: 4096, price: ${price}, deployments: [${model}] }]
`;
  writeFileSync(join(path, "attune.yaml"), text);
  return path;
}

const folder = mkdtempSync(join(tmpdir(), "attune-bench-"));
const postgres = await startPostgres();
let databases = 0;
const newUrl = {
  sqlite: () => `sqlite:${join(folder, `${databases++}.db`)}`,
  postgres: () => postgres.createDatabaseUrl(),
};
const engines = ["sqlite", "postgres"] as const;

const keepers = [
  appendKeeper(folder),
  noKeeper({ hasAttempts: true }),
  noKeeper({ hasAttempts: false }),
  spoolKeeper(folder),
  sqliteKeeper(folder, "off"),
  sqliteKeeper(folder, "normal"),
];
const offer = await interleave(
  "offer",
  "one record of 4 KB is taken",
  keepers.map((keeper) => [keeper.name, () => measureOffer(keeper, records)]),
);
for (const keeper of keepers) await keeper.close();

const write = await interleave(
  "write",
  "rows and rollups are written, without bodies",
  engines.flatMap((engine) =>
    [64, 256].flatMap((batchSize) =>
      [true, false].map((hasAttempts) => {
        const name = `${engine}, batches of ${batchSize}${hasAttempts ? "" : ", without attempts"}`;
        return [name, () => measureWrite(newUrl[engine](), { rows: records, batchSize, hasAttempts })] as const;
      }),
    ),
  ),
);

const writers = await interleave(
  "writers",
  "several processes write to one PostgreSQL at once, in batches of 256",
  [1, 4, 16].map((count) => {
    // A batch to warm up with, and two that count, for each.
    const load = { rows: Math.max(records, count * 3 * 256), batchSize: 256, hasAttempts: true };
    return [`${count}`, () => measureWriters(newUrl.postgres(), count, load)] as const;
  }),
);

const chain = await interleave(
  "chain",
  "offer -> spool -> thread -> database",
  engines.map((engine) => [engine, () => measureChain(newUrl[engine](), folder, { records })]),
);

const paced = await interleave(
  "paced",
  `the same, ${options.rate} records a second`,
  engines.flatMap((engine) =>
    [50, 200].map((flushIntervalMs) => {
      const load = { records: Number(options.rate) * 4, rate: Number(options.rate), flushIntervalMs };
      return [`${engine}, every ${flushIntervalMs} ms`, () => measureChain(newUrl[engine](), folder, load)] as const;
    }),
  ),
);

const processes = await interleave(
  "processes",
  `several processes record ${4 * Number(options.rate)} a second together`,
  engines.flatMap((engine) =>
    [1, 4, 8].flatMap((count) =>
      (["each", "one"] as const).map((writtenBy) => {
        const load = { records: Math.ceil(records / count), rate: (4 * Number(options.rate)) / count, writtenBy };
        const name = `${engine}, ${count}, ${writtenBy === "each" ? "each writes" : "one writes for all"}`;
        return [name, () => measureProcesses(newUrl[engine](), folder, count, load)] as const;
      }),
    ),
  ),
);

const entityReads = await Promise.all(
  engines.map(async (engine) => ({ engine, ...(await openEntityReads(newUrl[engine]())) })),
);
const entities = await interleave(
  "entities",
  "what people edit is read, with the query builder and as entities",
  entityReads.flatMap(({ engine, variants }) =>
    variants.map(([name, read]) => [`${engine}, ${name}`, () => measureEntities(read, records / 10)] as const),
  ),
);
for (const { close } of entityReads) await close();

const upstream = await startMeasured("upstream-process.ts");
const serving = [];
for (const engine of engines) {
  for (const recording of ["on", "off"]) {
    const name = `${engine}, recording ${recording}`;
    const home = servingFolder(`${engine}-${recording}`, newUrl[engine](), upstream.url);
    const environment = { BENCH_FOLDER: home, BENCH_RECORDING: recording };
    serving.push({ name, process: await startServing("serving-process.ts", environment) });
  }
}
const loop = await interleave(
  "serving",
  `${options.rate} inferences a second`,
  serving.map(({ name, process }) => [
    name,
    () => measureServing(process, Number(options.rate), Number(options.seconds)),
  ]),
);
console.log(
  JSON.stringify({
    rounds,
    records,
    rate: Number(options.rate),
    offer,
    write,
    writers,
    chain,
    paced,
    processes,
    entities,
    loop,
  }),
);

await Promise.all([upstream, ...serving.map(({ process }) => process)].map((one) => one.stop()));
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
