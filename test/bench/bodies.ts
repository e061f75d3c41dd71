/**
 * `npm run bench:bodies`: how long the main thread takes to check and parse the body of a request. What is told is the tenth of the
 * rounds that was quickest, so that other processes of the machine are left out.
 */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { parseBody } from "../../src/facade/parse-body.ts";
import { quantile } from "../support/quantile.ts";
import { SHAPES } from "./shapes.ts";

const { values: options } = parseArgs({
  options: { against: { type: "string" }, help: { type: "boolean", short: "h", default: false } },
});
if (options.help) {
  console.log(`usage: npm run bench:bodies -- [--against FOLDER]

  --against FOLDER  a checkout of another commit with its packages installed, measured in the same rounds`);
  process.exit(0);
}

const LIMITS = { jsonDepth: 64, jsonValues: 100_000 };
const ROUNDS = 2000;
/** Calls of a round; it is over before the thread is interrupted, most of the time. */
const CALLS = 4;

type Parse = typeof parseBody;

async function parserOf(folder: string): Promise<Parse> {
  const module = pathToFileURL(join(resolve(folder), "src/facade/parse-body.ts")).href;
  return ((await import(module)) as { parseBody: Parse }).parseBody;
}

const parsers: (readonly [name: string, parse: Parse])[] = [
  ["attune", await parserOf(join(import.meta.dirname, "../.."))],
];
if (options.against !== undefined) parsers.push(["the other checkout", await parserOf(options.against)]);

async function microsOf(parse: Parse, body: Buffer): Promise<number> {
  const begin = performance.now();
  for (let call = 0; call < CALLS; call++) await parse(body, LIMITS);
  return ((performance.now() - begin) * 1000) / CALLS;
}

function quickTenth(micros: readonly number[]): number {
  return Number(quantile(micros, 0.1).toFixed(1));
}

const rows = [];
for (const { name: shape, body: text } of SHAPES.filter(({ isKnownBefore }) => isKnownBefore)) {
  const body = Buffer.from(text);
  const micros = parsers.map((): number[] => []);
  for (let round = 0; round < 2 * ROUNDS; round++) {
    for (const [at, [, parse]] of parsers.entries()) {
      const took = await microsOf(parse, body);
      // The first half warms up.
      if (round >= ROUNDS) micros[at]?.push(took);
    }
  }
  const measured = parsers.map(([name], at) => [`${name}, us`, quickTenth(micros[at] ?? [])]);
  rows.push({ shape, bytes: body.length, ...Object.fromEntries(measured) });
}
console.table(rows);
console.log(JSON.stringify(rows));
