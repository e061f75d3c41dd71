import { expect, it } from "vitest";
import type { Block } from "../../scripts/docs/blocks.ts";
import { runBlocks } from "../../scripts/docs/run-blocks.ts";

/** The quick ones; `npm run check:docs` runs all. */
it("have calls that work as they stand", { timeout: 600_000 }, async () => {
  const isRun = ({ language, code }: Block): boolean => language === "sh" && /^curl /m.test(code);
  expect((await runBlocks({ isRun })).findings).toEqual([]);
});
