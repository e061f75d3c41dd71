import type { KyselyPlugin } from "kysely";
import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { NO_OTHERS } from "../../../src/store/peers/message-bus.ts";
import { PeerLookup } from "../../../src/store/peers/peer-lookup.ts";
import { StoreLookup } from "../../../src/store/read/store-lookup.ts";
import { SILENT_LOG } from "../../../src/store/types/log.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { inferenceRow } from "../../support/rows.ts";

const OWN = { find: () => undefined, ended: async () => true, written: async () => true };

/** Returns the same store, which tells how many ids each statement has. */
function countIds(store: Store, counts: number[]): Store {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      counts.push(JSON.stringify(node).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g)?.length ?? 0);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { ...store, query: () => store.query().withPlugin(plugin) };
}

describe.each(ENGINES)("StoreLookup on %s", (engine) => {
  const databases = useDatabases(engine);

  it("looks a bounded number of ids up in one statement", async () => {
    const { store } = databases;
    const ids = Array.from({ length: 1201 }, newId);
    const rows = [0, 499, 500, 1200].map((at) => inferenceRow({ id: ids[at] ?? "" }));
    for (const row of rows) {
      await writeBatch(store, {
        inferences: [{ row, attempts: [], request: new Uint8Array(), response: new Uint8Array() }],
        feedback: [],
      });
    }
    const counts: number[] = [];
    const peers = new PeerLookup({ bus: NO_OTHERS, own: OWN, log: SILENT_LOG });
    const lookup = new StoreLookup({ store: countIds(store, counts), own: OWN, peers });
    const projectId = rows[0]?.projectId ?? "";
    const found = await lookup.findStored(ids, projectId);
    expect([...found.keys()].toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    expect(counts).toEqual([500, 500, 201]);
    counts.length = 0;
    const answers = ids.map((inferenceId) => ({ inferenceId, attempt: 1 }));
    expect((await lookup.findCandidates(answers, projectId)).size).toBe(1197);
    expect(Math.max(...counts)).toBeLessThanOrEqual(500);
    await peers.close();
  });
});
