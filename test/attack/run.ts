/** `npm run test:attack`: sends hostile inputs to a real service and counts what it does wrong. `--help` says how. */
import { request } from "undici";
import type { Area, Target } from "./area.ts";
import { dashboardArea } from "./areas/dashboard.ts";
import { h2Area } from "./areas/h2.ts";
import { httpArea, keylessArea } from "./areas/http.ts";
import { rpcArea } from "./areas/rpc.ts";
import { socketsArea } from "./areas/sockets.ts";
import { upstreamArea } from "./areas/upstream.ts";
import { SANDBOX_MODEL } from "./configuration.ts";
import { drive, type Outcome } from "./drive.ts";
import { Findings } from "./findings.ts";
import { startHostileUpstream } from "./hostile-upstream.ts";
import { readOptions } from "./options.ts";
import { type AttackedService, startService } from "./service.ts";
import { printTable } from "./table.ts";

const AREAS: readonly Area[] = [httpArea, keylessArea, rpcArea, socketsArea, h2Area, dashboardArea, upstreamArea];

const PROGRESS_MS = 10_000;

const options = readOptions(
  process.argv.slice(2),
  AREAS.map(({ name }) => name),
);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const findings = new Findings(say);
const outcomes: Outcome[] = [];

const upstream = await startHostileUpstream();
const service = await startService(upstream.url);
try {
  await attack({ service, upstream, inferenceIds: await makeInferences(service) });
} finally {
  await service.close();
  await upstream.close();
}
finish();

async function attack(target: Target): Promise<void> {
  const areas = AREAS.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  const shares = areas.reduce((sum, { share }) => sum + share, 0);
  say(`seed ${options.seed}, ${options.inputs} inputs, ${areas.map(({ name }) => name).join(", ")}`);
  for (const area of areas) {
    const count = options.at === undefined ? Math.ceil((options.inputs * area.share) / shares) : 1;
    let last = performance.now();
    const onProgress = (done: number): void => {
      if (performance.now() - last < PROGRESS_MS) return;
      last = performance.now();
      say(`  ${area.name}: ${done} of ${count}, ${findings.total} findings`);
    };
    const plan = { area, seed: options.seed, first: options.at ?? 0, count };
    outcomes.push(await drive(plan, target, findings, onProgress));
    if (target.service.ended() !== undefined) return;
  }
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
  const { passed, failed } = findings.checks(outcomes.map(({ area }) => area));
  say(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
