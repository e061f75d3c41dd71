import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { untilServing } from "../support/banner.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

const CALL = { model: "attune/gpt-6-astra", messages: [{ role: "user", content: "hi" }] };

/** Signals closer to each other than half a second are one. */
const SECOND_SIGNAL_MS = 600;

describe("server.drainMs", { timeout: 120_000 }, () => {
  let folder: CliFolder;

  beforeEach(() => {
    folder = createCliFolder();
  });

  afterEach(() => folder.remove());

  it("says after SIGTERM that it is not ready, and answers until a second signal ends it", async () => {
    const cli = await serve(600_000);
    cli.process.kill("SIGTERM");
    await vi.waitUntil(async () => (await fetch(`${cli.url}/readyz`)).status === 503, { timeout: 30_000 });
    // Counted from when the first one had come: a busy machine takes its time until then.
    await delay(SECOND_SIGNAL_MS);
    expect((await cli.call()).status).toBe(200);
    expect(cli.complained()).toContain("the port stays open for server.drainMs");
    cli.process.kill("SIGTERM");
    expect((await cli.result).status).toBe(1);
  });

  it("then ends as it does without, and logs each step", async () => {
    const cli = await serve(1);
    cli.process.kill("SIGTERM");
    const { status, stderr } = await cli.result;
    expect(status).toBe(0);
    const steps = ["server.drainMs", "the port closes", "all requests have ended"].map((step) => stderr.indexOf(step));
    expect(steps.every((at, index) => at > (steps[index - 1] ?? -1))).toBe(true);
  });

  async function serve(drainMs: number) {
    writeFileSync(join(folder.path, "attune.yaml"), `server: { drainMs: ${drainMs} }\n`);
    const cli = folder.start(["serve", "--print-secrets"], { ATTUNE_PORT: "0" });
    const { url, key } = await untilServing(cli);
    const call = () =>
      fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
        body: JSON.stringify(CALL),
      });
    return { ...cli, url, call };
  }
});
