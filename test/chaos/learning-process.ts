/**
 * A process that learns, and does nothing else, until it is killed. Usage: node learning-process.ts DATABASE_URL
 * MODEL...
 */
import { inspect } from "node:util";
import { createChangeFeed } from "../../src/store/changes/create-change-feed.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { openLearning } from "../../src/store/learning/open-learning.ts";

const [databaseUrl = "", ...models] = process.argv.slice(2);
const tell = (facts: object, message: string) => void process.stderr.write(`${message}: ${inspect(facts)}\n`);
const log = { warn: tell, error: tell };
const store = await openStore(databaseUrl, { migrate: false });
const changes = createChangeFeed(store, log);
await openLearning(store, { models, mode: "on", priors: {}, changes, log });
process.stdout.write("learning\n");
// Its timers do not keep a process alive.
setInterval(() => {}, 1000);
