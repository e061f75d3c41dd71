/** Fills a database with a year of inferences and feedback, to see lists and charts on: node scripts/seed.ts --help */

import { openStore } from "../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../src/store/entities/project.ts";
import { readOptions } from "../test/support/read-options.ts";
import { seedDatabase } from "./seed/seed-database.ts";

const HELP = `Fills a database with made-up inferences of the past year and their feedback, in the default project.

  --database URL   sqlite:./data/attune.db or postgresql://..., which is created and migrated (ATTUNE_DATABASE_URL)
  --rows N         inferences, 1000000 if not given; the latest 20000 have bodies
  --seed N         the same number makes the same rows at the same end; 1 if not given
  --end TIME       when the last inference was made, such as 2026-11-21T00:00:00Z; now if not given`;

const values = readOptions(HELP, {
  database: { type: "string", default: process.env["ATTUNE_DATABASE_URL"] ?? "" },
  rows: { type: "string", default: "1000000" },
  seed: { type: "string", default: "1" },
  end: { type: "string", default: new Date().toISOString() },
});
await seed();

async function seed(): Promise<void> {
  if (values.database === "") throw new Error("give --database URL, or --help");
  const [rows, end] = [wholeNumber("--rows", values.rows), new Date(values.end)];
  if (Number.isNaN(end.getTime())) throw new Error(`--end: '${values.end}' is no time`);
  const store = await openStore(values.database);
  const started = performance.now();
  try {
    const seedNumber = wholeNumber("--seed", values.seed);
    const projectId = DEFAULT_PROJECT.id;
    await seedDatabase(store, { projectId, rows, bodies: 20_000, end, seed: seedNumber, onProgress: show(rows) });
  } finally {
    await store.close();
  }
  console.log(`\n${rows} inferences in ${((performance.now() - started) / 1000).toFixed(1)} s at ${store.location}`);
}

function show(rows: number): (done: number) => void {
  return (done) => process.stdout.write(`\r${done} of ${rows} (${Math.floor((100 * done) / rows)} %)`);
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${option}: '${text}' is no whole number`);
  return Number(text);
}
