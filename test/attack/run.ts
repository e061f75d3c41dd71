/** `npm run test:attack`: sends hostile inputs to a real service and counts what it does wrong. `--help` says how. */
import { request } from "undici";
import type { Area, Target } from "./area.ts";
import { dashboardArea } from "./areas/dashboard.ts";
import { h2Area } from "./areas/h2.ts";
import { httpArea, keylessArea } from "./areas/http.ts";
import { rpcArea } from "./areas/rpc.ts";
import { socketsArea } from "./areas/sockets.ts";
import { upstreamArea } from "./areas/upstream.ts";
import { webhooksArea } from "./areas/webhooks.ts";
import { SANDBOX_MODEL } from "./configuration.ts";
import { drive, joinOutcomes, type Outcome } from "./drive.ts";
import { Findings } from "./findings.ts";
import { FLOOD, flood, startLoiterers } from "./flood/flood.ts";
import { HOARD, hoard } from "./hoard/hoard.ts";
import { startHostileUpstream } from "./hostile-upstream.ts";
import { MEMORY, startMemoryWatch } from "./memory.ts";
import { readOptions } from "./options.ts";
import { type AttackedService, startService } from "./service.ts";
import { printTable } from "./table.ts";

const AREAS: readonly Area[] = [
  httpArea,
  keylessArea,
  rpcArea,
  socketsArea,
  h2Area,
  dashboardArea,
  upstreamArea,
  webhooksArea,
];

const PROGRESS_MS = 10_000;
/** Part of the inputs after which the memory is what it should stay. */
const WARM_UP = 0.15;

const options = readOptions(process.argv.slice(2), [...AREAS.map(({ name }) => name), FLOOD, HOARD]);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const findings = new Findings(say);
const outcomes: Outcome[] = [];

const upstream = await startHostileUpstream();
const service = await startService(upstream.url, options);
try {
  // What loiters is cut off after more than a minute, in which services of their own are attacked.
  const endLoiterers = isWanted(FLOOD) ? startLoiterers(service) : undefined;
  if (isWanted(HOARD)) {
    const { hoard: part, backMs } = options;
    await hoard(() => startService(upstream.url, options), findings, { say, part, backMs });
  }
  await attack({ service, upstream, inferenceIds: await makeInferences(service) }, endLoiterers);
} finally {
  await service.close();
  await upstream.close();
}
finish();

function isWanted(area: string): boolean {
  return options.only.length === 0 || options.only.includes(area);
}

async function attack(target: Target, endLoiterers: ReturnType<typeof startLoiterers> | undefined): Promise<void> {
  const areas = AREAS.filter(({ name }) => isWanted(name));
  say(`seed ${options.seed}, ${options.inputs} inputs: ${[...areas.map(({ name }) => name)].join(", ")}`);
  // First, while the process is small: pages that other inputs took would hide what a flood takes.
  if (isWanted(FLOOD)) await flood(target.service, findings, say);
  // What caches and pools take is taken by then; the rest of the run must not take more.
  await attackAreas(target, areas, { from: 0, to: WARM_UP });
  const memory = options.at === undefined ? await startMemoryWatch(target.service) : undefined;
  await attackAreas(target, areas, { from: WARM_UP, to: 1 });
  await endLoiterers?.(findings, say);
  await memory?.(findings, say);
}

/** Sends the inputs of each area from one part of them to another, of 1. */
async function attackAreas(
  target: Target,
  areas: readonly Area[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const shares = areas.reduce((sum, { share }) => sum + share, 0);
  for (const area of areas) {
    if (target.service.ended() !== undefined) return;
    const all = Math.ceil((options.inputs * area.share) / shares);
    const first = options.at ?? Math.floor(all * from);
    const count = options.at === undefined ? Math.floor(all * to) - first : Math.ceil(from);
    if (count > 0)
      addOutcome(
        await drive({ area, seed: options.seed, first, count }, target, findings, reportProgress(area, count)),
      );
  }
}

function reportProgress(area: Area, count: number): (done: number) => void {
  let last = performance.now();
  return (done) => {
    if (performance.now() - last < PROGRESS_MS) return;
    last = performance.now();
    say(`  ${area.name}: ${done} of ${count}, ${findings.total} findings`);
  };
}

/** An area is attacked twice, and shown once. */
function addOutcome(outcome: Outcome): void {
  const at = outcomes.findIndex(({ area }) => area === outcome.area);
  const before = outcomes[at];
  if (before === undefined) outcomes.push(outcome);
  else outcomes[at] = joinOutcomes(before, outcome);
}

/** Asks for a few answers, which later inputs name. */
async function makeInferences({ url, key }: AttackedService): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 0; count < 8; count++) {
    const body = JSON.stringify({ model: SANDBOX_MODEL, input: "Hello" });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const answer = await request(`${url}/v1/responses`, { method: "POST", headers, body });
    ids.push(((await answer.body.json()) as { id: string }).id);
  }
  return ids;
}

function finish(): void {
  printTable(outcomes, findings, say);
  if (options.json) say(JSON.stringify({ seed: options.seed, outcomes, findings: findings.examples }));
  const { passed, failed } = findings.checks([...outcomes.map(({ area }) => area), FLOOD, HOARD, MEMORY]);
  say(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
