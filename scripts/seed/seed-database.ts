import { firstWords } from "../../src/store/bodies/first-words.ts";
import type { InferenceRow } from "../../src/store/entities/inference.ts";
import { ensurePartitions } from "../../src/store/partitions/ensure-partitions.ts";
import { decodeMessages } from "../../src/store/types/inference-body.ts";
import type { InferenceWrite } from "../../src/store/types/record-batch.ts";
import type { Store } from "../../src/store/types/store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { buildPeriods } from "../../src/store/write/rollups/build-periods.ts";
import { fakeAttempts } from "./fake-attempts.ts";
import { fakeFeedback, fakeInference, fakeRequest, fakeResponse } from "./fake-rows.ts";
import { Random } from "./random.ts";

/** The options of seeding. */
export interface SeedOptions {
  readonly projectId: string;
  /** Inferences; about one in five has feedback. */
  readonly rows: number;
  /** The latest of them, which have bodies. */
  readonly bodies: number;
  /** When the last inference was made; they go back by a year. */
  readonly end: Date;
  /** The same seed makes the same rows. */
  readonly seed: number;
  /** Is told how many rows are written. */
  readonly onProgress?: (rows: number) => void;
}

const YEAR_MS = 365 * 86_400_000;
const ROWS_PER_BATCH = 2000;

/** Puts inferences of the year before `end` and their feedback into a database, through the writer of the service. */
export async function seedDatabase(store: Store, options: SeedOptions): Promise<void> {
  const { rows, projectId, onProgress } = options;
  const startMs = options.end.getTime() - YEAR_MS;
  const random = new Random(options.seed);
  await ensurePartitions(store, new Date(startMs), options.end);
  for (let done = 0; done < rows; ) {
    const count = Math.min(ROWS_PER_BATCH, rows - done);
    const inferences = Array.from({ length: count }, (_, index) => {
      const timeMs = Math.floor(startMs + ((done + index + random.next()) / rows) * YEAR_MS);
      return withBody(random, fakeInference(random, projectId, timeMs), done + index >= rows - options.bodies);
    });
    const feedback = inferences.flatMap(({ row }) => fakeFeedback(random, row));
    await writeBatch(store, { inferences, feedback });
    done += count;
    onProgress?.(done);
  }
  await buildPeriods(store, options.end);
}

function withBody(random: Random, row: InferenceRow, hasBody: boolean): InferenceWrite {
  const attempts = fakeAttempts(row);
  if (!hasBody) return { row, attempts, request: undefined, response: undefined };
  const request = fakeRequest(random, 500 + random.below(3000));
  const response = fakeResponse(random, 200 + random.below(1500));
  const { prompt, answer } = firstWords(decodeMessages(request, response));
  return { row, attempts, request, response, words: [prompt, answer] };
}
