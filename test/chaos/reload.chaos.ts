import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { untilServing } from "../support/banner.ts";
import { heapOf, INSPECTED } from "../support/heap-of-process.ts";
import { type CliFolder, createCliFolder, type RunningCli } from "../support/run-cli.ts";
import { waitUntil } from "../support/wait.ts";
import { createLedger, type Ledger, startLoad } from "./load.ts";
import { compare } from "./parity.ts";
import { report } from "./report.ts";

/** Reloads before the heap is measured first: what they warm stays. */
const WARM = 20;
const RELOADS = 100;
const CALLERS = 4;
const KEY = "a-bootstrap-key-for-chaos";
/** Most that a reload may leave behind: a model and its upstream take more. */
const LEFT_BYTES = 50_000;
const MB = 1e6;

const DONE = "the configuration was read again";

/** Another name and price by the turn, so that each reload changes the catalog and the upstreams. */
const yamlOf = (turn: number): string => `
log: { requests: { level: off } }
dashboard: { enabled: false }
upstreams:
  other-${turn % 2}: { kind: openai-chat, baseUrl: "http://127.0.0.1:1/v1", apiKey: "key-${turn}" }
models:
  - name: gpt-6-astra
    family: chat
    contextWindow: 100000
    maxOutputTokens: 1000
    price: { input: 1, output: ${1 + (turn % 7)} }
    deployments: [{ upstream: sandbox, model: any }]
  - name: other-${turn % 3}
    family: chat
    contextWindow: 100000
    maxOutputTokens: 1000
    deployments: [{ upstream: other-${turn % 2}, model: any }]
`;

let folder: CliFolder;
let cli: RunningCli;
let turn = 0;

beforeAll(() => {
  folder = createCliFolder();
  writeFileSync(join(folder.path, "attune.yaml"), yamlOf(turn));
});
afterAll(() => folder.remove());

const reloads = () => cli.complained().split(DONE).length - 1;

/** Reloads so often; between any two a call is answered. */
async function reload(times: number, ledger: Ledger): Promise<void> {
  for (let time = 0; time < times; time++) {
    const [before, answered] = [reloads(), ledger.inferences.length];
    writeFileSync(join(folder.path, "attune.yaml"), yamlOf(++turn));
    cli.process.kill("SIGHUP");
    await waitUntil(() => reloads() > before && ledger.inferences.length > answered);
  }
}

it(`fails no request in ${RELOADS} reloads, and holds no more afterwards`, async () => {
  const environment = { ATTUNE_PORT: "0", ATTUNE_ADMIN_PORT: "0", ATTUNE_BOOTSTRAP_KEY: KEY, ...INSPECTED };
  cli = folder.start(["serve", "--log-level", "info"], environment);
  const { url } = await untilServing(cli);
  const ledger = createLedger();
  const reloadUnderLoad = async (times: number): Promise<number> => {
    const load = startLoad({ url, key: KEY, ledger, callers: CALLERS, pauseMs: 50 });
    await reload(times, ledger);
    await load.stop();
    return await heapOf(cli);
  };
  const before = await reloadUnderLoad(WARM);
  const after = await reloadUnderLoad(RELOADS);
  cli.process.kill("SIGTERM");
  expect((await cli.result).status).toBe(0);
  const parity = await compare(`sqlite:${join(folder.path, "data", "attune.db")}`, ledger);
  report(
    `${RELOADS} reloads under ${ledger.sent} requests, ${ledger.failures.length} of which failed; ` +
      `heap ${(before / MB).toFixed(1)} MB before, ${(after / MB).toFixed(1)} MB after`,
  );
  expect([...new Set(ledger.failures)]).toEqual([]);
  expect(parity).toMatchObject({ lostInferences: 0, lostFeedback: 0, unacknowledged: 0, rollupSurplus: 0 });
  expect(after - before).toBeLessThan(RELOADS * LEFT_BYTES);
});
