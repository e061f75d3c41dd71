import type { Reporter, TestModule } from "vitest/node";

/**
 * Prints `N passed, N failed` alone on the last line of a test run. A file that does not load, and a group whose
 * preparation fails so that its tests are skipped, count as one failure each.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    for (const module of modules) {
      if (module.errors().length > 0) failed += 1;
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) failed += 1;
      }
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failed += 1;
        else skipped += 1;
      }
    }
    // Printed at exit, so that nothing follows it.
    process.once("exit", () => {
      process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
    });
  }
}
