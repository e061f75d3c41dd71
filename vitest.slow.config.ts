import { defineConfig } from "vitest/config";
import { testBundle } from "./test/support/tested-program.ts";
import config from "./vitest.config.ts";

testBundle();

/**
 * Tests like all others, which take long by nature: they wait for limits of seconds, flood a service, compare what large inputs cost, move
 * whole databases, try hundreds of schemas or texts, or start a process for every assertion. `npm run test:slow`.
 */
export default defineConfig({ ...config, test: { ...config.test, include: ["test/**/*.slow.ts"] } });
