import { migrate } from "../../src/store/database/migrate.ts";

/** Migrates the database of its argument, and prints how many migrations it applied itself. */
const applied = await migrate(process.argv[2] ?? "");
process.stdout.write(`${applied.length}`);
