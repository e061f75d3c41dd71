import { Agent } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { ask, createLedger, giveFeedback } from "./load.ts";
import { compare } from "./parity.ts";
import { report } from "./report.ts";
import { startServed } from "./served.ts";

const TIMES = 1000;
const CALLERS = 5;

describe("two replicas behind one PostgreSQL", () => {
  let postgres: PostgresServer;
  let folder: CliFolder;

  beforeAll(async () => {
    postgres = await startPostgres();
    folder = createCliFolder();
  });

  afterAll(async () => {
    await folder.remove();
    await postgres.stop();
  });

  it(`takes feedback at one, at once after the answer of the other, ${TIMES} times`, async () => {
    const databaseUrl = postgres.createDatabaseUrl();
    const store = await openStore(databaseUrl);
    const { key } = await createKey(store, { name: "shared" });
    await store.close();
    const environment = { ATTUNE_DATABASE_URL: databaseUrl };
    const replicas = [await startServed(folder, environment), await startServed(folder, environment)];
    const agent = new Agent();
    const ledger = createLedger();
    const times: number[] = [];
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      for (let turn = caller; turn < TIMES; turn += CALLERS) {
        const [asked, told] = [replicas[turn % 2], replicas[(turn + 1) % 2]].map((replica) => replica?.url ?? "");
        const id = await ask({ url: asked ?? "", key, agent });
        ledger.inferences.push(id);
        const begin = performance.now();
        ledger.feedback.push(...(await giveFeedback(id, { url: told ?? "", key, agent })));
        times.push(performance.now() - begin);
      }
    });
    await Promise.all(callers);
    await agent.close();
    for (const replica of replicas) expect(await replica.end()).toBe(0);
    const parity = await compare(databaseUrl, ledger);
    times.sort((a, b) => a - b);
    report(
      `feedback at the other replica, ${TIMES} times: none refused, p50 ${times[TIMES / 2]?.toFixed(0)} ms, ` +
        `p99 ${times[TIMES * 0.99]?.toFixed(0)} ms, longest ${times.at(-1)?.toFixed(0)} ms`,
    );
    expect(parity).toEqual({
      lostInferences: 0,
      lostFeedback: 0,
      unacknowledged: 0,
      rollupSurplus: 0,
      inferences: TIMES,
      feedback: 2 * TIMES,
    });
  });
});
