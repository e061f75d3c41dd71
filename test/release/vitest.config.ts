import { join } from "node:path";
import { defineConfig } from "vitest/config";

/**
 * What is given to operators, run as they run it: `npm run check:release`, before a tag. What a machine lacks (root,
 * apt-get, nginx, HAProxy, Caddy, helm, llama-server) is skipped, and named.
 */
export default defineConfig({
  root: join(import.meta.dirname, "..", ".."),
  test: {
    include: ["test/release/*.release.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: "forks",
    isolate: false,
    // One after another: each measures what the machine does under its own load.
    fileParallelism: false,
    disableConsoleIntercept: true,
    reporters: ["verbose", "./test/closing-line-reporter.ts"],
  },
});
