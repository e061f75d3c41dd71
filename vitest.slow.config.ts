import { defineConfig } from "vitest/config";
import config from "./vitest.config.ts";

/**
 * Tests like all others, which take long by nature: they wait for limits of seconds, flood a service, or compare what large inputs
 * cost. `npm run test:slow`.
 */
export default defineConfig({ ...config, test: { ...config.test, include: ["test/**/*.slow.ts"] } });
