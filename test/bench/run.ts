/**
 * `npm run bench`: what a request costs in Attune (authentication, recording and cost on) against a bare node:http
 * pipe, in interleaved rounds of one run. Ratios hold on a busy machine, absolute numbers do not.
 */

import { readOptions } from "../support/read-options.ts";
import { measureRounds } from "./rounds.ts";
import { MIXED, SHAPES } from "./shapes.ts";
import { startTargets } from "./targets.ts";
import { reportAfterIdle, reportCold } from "./window-reports.ts";
import { WORK_BOUNDS } from "./work-bounds.ts";
import { reportWork } from "./work-report.ts";

const USAGE = `usage: npm run bench -- [--rounds 5] [--seconds 4] [--connections 16 | --rate N] [--warm 40000] [--engine sqlite|postgres|sqlite,postgres] [--shapes WORD] [--against FOLDER] [--garbage] [--plain-memory] [--without-learning] [--workers N,M] [--flags="FLAG ..."] [--floor] [--cores N] [--mixed] [--work | --cold | --after-idle SECONDS]

  --rate N          so many requests a second, on average, and not as many as connections can make: how long callers wait then
  --warm N          requests before anything is counted, for at most 30 seconds: until then V8 compiles what it runs
  --engine ENGINE   where records are written; a checkout that is older than this option writes to SQLite all the same. Of two engines, the service is measured on each in the same rounds, and what else there is on the first
  --shapes WORD     only the request of this name; if none has it, those whose names have this word
  --against FOLDER  a checkout of another commit with its packages installed: its service is measured in the same rounds
  --garbage         tell what of a request's memory outlives it: KB that collections move to the old objects
  --plain-memory    the service with the heaps that Node has by itself is measured in the same rounds
  --without-learning  the service that neither decides nor learns is measured in the same rounds; otherwise it observes, as by default
  --workers N,M     attune serve --workers N, as users start it, and with M, are measured in the same rounds: the sum over their processes; 0 is attune serve without workers
  --flags="FLAG ..."  the service with these flags of Node as well, which go before its own, is measured in the same rounds
  --floor           the least that the same promises cost by hand is measured in the same rounds: key, JSON both ways, cost, record in a file; and then in SQLite as well
  --cores N         the first N cores for each service and its threads, the others for the upstream and the load. Linux only
  --mixed           four shapes in two formats by turns, in place of one after another
  --work            what a warm request runs on the main thread, by room: calls of functions, distinct functions, KB. A busy machine changes none of them. Fails where a shape passes its bound in work-bounds.ts
  --cold            what requests cost from the start, without warming up
  --after-idle SECONDS  what requests cost after so long without any`;
const options = readOptions(USAGE, {
  rounds: { type: "string", default: "5" },
  seconds: { type: "string", default: "4" },
  connections: { type: "string", default: "16" },
  rate: { type: "string" },
  warm: { type: "string", default: "40000" },
  against: { type: "string" },
  engine: { type: "string", default: "sqlite" },
  shapes: { type: "string", default: "" },
  garbage: { type: "boolean", default: false },
  "plain-memory": { type: "boolean", default: false },
  "without-learning": { type: "boolean", default: false },
  workers: { type: "string", default: "" },
  flags: { type: "string" },
  floor: { type: "boolean", default: false },
  cores: { type: "string" },
  mixed: { type: "boolean", default: false },
  work: { type: "boolean", default: false },
  cold: { type: "boolean", default: false },
  "after-idle": { type: "string" },
});
const isNamed = SHAPES.some(({ name }) => name === options.shapes);
const named = SHAPES.filter(({ name }) => (isNamed ? name === options.shapes : name.includes(options.shapes)));
const bounded = SHAPES.filter(({ name }) => name in WORK_BOUNDS);
const shapes = options.mixed ? [MIXED] : options.work && options.shapes === "" ? bounded : named;
if (shapes.length === 0) {
  console.error(`--shapes: no name has '${options.shapes}'; there are: ${SHAPES.map(({ name }) => name).join("; ")}`);
  process.exit(2);
}

if (options.cores !== undefined && options.workers !== "") {
  console.error("--cores takes no --workers: they are several processes");
  process.exit(2);
}

const engines = options.engine.split(",");
for (const name of engines) {
  if (name === "sqlite" || name === "postgres") continue;
  console.error(`--engine: there is no '${name}'; there are sqlite and postgres`);
  process.exit(2);
}

const { targets, stop } = await startTargets({
  engines,
  against: options.against,
  flags: options.flags,
  floor: options.floor,
  garbage: options.garbage,
  plainMemory: options["plain-memory"],
  withoutLearning: options["without-learning"],
  workers: options.workers.split(",").filter(Boolean),
  cores: options.cores === undefined ? undefined : Number(options.cores),
});
const rate = options.rate === undefined ? undefined : Number(options.rate);
const load = { connections: Number(options.connections), rate, warm: Number(options.warm) };
if (options.work) await reportWork(targets, shapes);
else if (options.cold) await reportCold(targets, shapes, load);
else if (options["after-idle"] !== undefined)
  await reportAfterIdle(targets, shapes, { ...load, idleSeconds: Number(options["after-idle"]) });
else {
  const { rounds, seconds, garbage } = options;
  await measureRounds(targets, shapes, { ...load, rounds: Number(rounds), seconds: Number(seconds), garbage });
}
await stop();
