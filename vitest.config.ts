import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { PATIENCE } from "./test/support/patience.ts";

// Node keeps there what it made of each file, for the processes and threads that tests start: it takes half of their time.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules", ".cache", "node");

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // They end what hangs, and tell nothing of speed: on a busy machine a process alone takes seconds to start.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: PATIENCE },
    pool: "forks",
    // Tests wait for databases, processes and limits more than they compute: five workers keep two cores busy.
    maxWorkers: availableParallelism() + 3,
    // Test files share the modules of their process: to load them anew for each file takes longer than the tests.
    isolate: false,
    // Node itself loads what it runs in production too. Without Vite's transformation a few files take an eighth less time.
    experimental: { viteModuleRunner: false },
    reporters: ["default", "./test/closing-line-reporter.ts"],
  },
});
