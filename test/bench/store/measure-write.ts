import { fakeAttempts } from "../../../scripts/seed/fake-attempts.ts";
import { fakeFeedback, fakeInference } from "../../../scripts/seed/fake-rows.ts";
import { Random } from "../../../scripts/seed/random.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";

/** What it costs to write rows, with what they add to the rollups. */
export interface WriteSample {
  readonly rowsPerSecond: number;
  /** Of this process: on PostgreSQL the server's own work comes on top. */
  readonly cpuMicrosPerRow: number;
}

/** Rows come at so many a second, so that a batch is of as many keys, models and ends as it would be. */
const ROWS_PER_SECOND = 200;

/** Writes inferences of several keys, models and workloads, one in five with feedback, in batches of one size. */
export async function measureWrite(databaseUrl: string, batchSize: number, rows: number): Promise<WriteSample> {
  const store = await openStore(databaseUrl);
  const random = new Random(1);
  const startMs = Date.now();
  const batches = Array.from({ length: Math.ceil(rows / batchSize) }, (_, batch) => {
    const inferences = Array.from({ length: batchSize }, (_, index) =>
      fakeInference(random, DEFAULT_PROJECT.id, startMs + ((batch * batchSize + index) * 1000) / ROWS_PER_SECOND),
    );
    const feedback = inferences.flatMap((row) => fakeFeedback(random, row));
    return {
      inferences: inferences.map((row) => ({
        row,
        attempts: fakeAttempts(row),
        request: undefined,
        response: undefined,
      })),
      feedback,
    };
  });
  const [first, ...others] = batches;
  // The statements are prepared by the first batch.
  if (first !== undefined) await writeBatch(store, first);
  const [begin, before] = [performance.now(), process.cpuUsage()];
  for (const batch of others) await writeBatch(store, batch);
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - begin) / 1000;
  await store.close();
  const written = others.length * batchSize;
  return { rowsPerSecond: written / seconds, cpuMicrosPerRow: (user + system) / written };
}
