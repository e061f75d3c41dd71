import { fakeAttempts } from "../../../scripts/seed/fake-attempts.ts";
import { fakeFeedback, fakeInference } from "../../../scripts/seed/fake-rows.ts";
import { Random } from "../../../scripts/seed/random.ts";
import { readRows } from "../../../src/store/database/executor.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import type { RecordBatch } from "../../../src/store/types/record-batch.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";

/** What it costs to write rows, with what they add to the rollups. */
export interface WriteSample {
  readonly rowsPerSecond: number;
  /** Of this process: on PostgreSQL the server's own work comes on top. */
  readonly cpuMicrosPerRow: number;
  /** What the database grew by, with indexes and rollups. */
  readonly bytesPerRow: number;
}

/** What is written. */
export interface WriteLoad {
  readonly rows: number;
  readonly batchSize: number;
  /** Whether each inference has the rows of its attempts. */
  readonly hasAttempts: boolean;
}

/** Rows come at so many a second, so that a batch is of as many keys, models and ends as it would be. */
const ROWS_PER_SECOND = 200;

/** Writes inferences of several keys, models and workloads, one in five with feedback, in batches of one size. */
export async function measureWrite(databaseUrl: string, load: WriteLoad): Promise<WriteSample> {
  const store = await openStore(databaseUrl);
  const [first, ...others] = batchesOf(load, new Random(1));
  // The statements are prepared by the first batch.
  if (first !== undefined) await writeBatch(store, first);
  const bytesBefore = await sizeOf(store);
  const [begin, before] = [performance.now(), process.cpuUsage()];
  for (const batch of others) await writeBatch(store, batch);
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - begin) / 1000;
  const grown = (await sizeOf(store)) - bytesBefore;
  await store.close();
  const written = others.length * load.batchSize;
  return {
    rowsPerSecond: written / seconds,
    cpuMicrosPerRow: (user + system) / written,
    bytesPerRow: grown / written,
  };
}

/** What several processes write to one database at once. */
export interface WritersSample {
  readonly rowsPerSecond: number;
  /** How long a transaction takes, which may wait for others that add to the same rollups. */
  readonly transactionP50Ms: number;
  readonly transactionP99Ms: number;
}

/**
 * Has several writers, each with connections of its own, write inferences of the same keys, models and hours at once.
 */
export async function measureWriters(databaseUrl: string, writers: number, load: WriteLoad): Promise<WritersSample> {
  const stores = [];
  for (let writer = 0; writer < writers; writer++) stores.push(await openStore(databaseUrl));
  const share = { ...load, rows: Math.ceil(load.rows / writers) };
  const work = stores.map((store, writer) => ({ store, batches: batchesOf(share, new Random(writer + 1)) }));
  for (const { store, batches } of work) await writeBatch(store, batches.shift() ?? NOTHING);
  const rows = work.reduce((sum, { batches }) => sum + batches.length * load.batchSize, 0);
  const took: number[] = [];
  const begin = performance.now();
  await Promise.all(
    work.map(async ({ store, batches }) => {
      for (const batch of batches) {
        const beganMs = performance.now();
        await writeBatch(store, batch);
        took.push(performance.now() - beganMs);
      }
    }),
  );
  const seconds = (performance.now() - begin) / 1000;
  for (const store of stores) await store.close();
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? Number.NaN;
  return { rowsPerSecond: rows / seconds, transactionP50Ms: at(0.5), transactionP99Ms: at(0.99) };
}

const NOTHING: RecordBatch = { inferences: [], feedback: [] };

function batchesOf({ rows, batchSize, hasAttempts }: WriteLoad, random: Random): RecordBatch[] {
  const startMs = Date.now();
  return Array.from({ length: Math.ceil(rows / batchSize) }, (_, batch) => {
    const inferences = Array.from({ length: batchSize }, (_, index) =>
      fakeInference(random, DEFAULT_PROJECT.id, startMs + ((batch * batchSize + index) * 1000) / ROWS_PER_SECOND),
    );
    return {
      inferences: inferences.map((row) => ({
        row,
        attempts: hasAttempts ? fakeAttempts(row) : [],
        request: undefined,
        response: undefined,
      })),
      feedback: inferences.flatMap((row) => fakeFeedback(random, row)),
    };
  });
}

async function sizeOf(store: Store): Promise<number> {
  const sql =
    store.engine === "sqlite"
      ? "select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()"
      : "select pg_database_size(current_database())::float8 as bytes";
  const [row] = await readRows<{ bytes: number }>(store, sql, []);
  return row?.bytes ?? Number.NaN;
}
