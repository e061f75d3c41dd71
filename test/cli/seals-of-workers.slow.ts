import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Banner, untilServing } from "../support/banner.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

const PATIENT = { timeout: 60_000, interval: 50 };

const model = (name: string): string => `
  - name: ${name}
    family: messages
    contextWindow: 200000
    maxOutputTokens: 4096
    deployments: [ { upstream: sandbox, model: ${name} } ]`;

describe("attune serve --workers, on one SQLite file", { timeout: 120_000 }, () => {
  let folder: CliFolder;
  let banner: Banner;

  beforeAll(async () => {
    folder = createCliFolder();
    writeFileSync(join(folder.path, "attune.yaml"), `models:${model("one")}${model("two")}\n`);
    banner = await untilServing(folder.start(["serve", "--workers", "2", "--print-secrets"], { ATTUNE_PORT: "0" }));
  });

  afterAll(() => folder.remove());

  /** Asks over a connection of its own, which goes to any of the workers. */
  async function ask(name: string, messages: readonly object[]) {
    const thinking = { type: "enabled", budget_tokens: 1024 };
    const response = await fetch(`${banner.url}/v1/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${banner.key}`, "content-type": "application/json", connection: "close" },
      body: JSON.stringify({ model: `attune/${name}`, max_tokens: 2048, thinking, messages }),
    });
    const { content } = (await response.json()) as { content: { type: string; signature?: string }[] };
    return { content, losses: response.headers.get("attune-translation-loss") };
  }

  async function instance(): Promise<string> {
    const response = await fetch(`${banner.url}/healthz`, { headers: { connection: "close" } });
    return ((await response.json()) as { instance: string }).instance;
  }

  it("knows a seal of any of them on all of them", async () => {
    await vi.waitUntil(async () => {
      const seen = await Promise.all(Array.from({ length: 12 }, instance));
      return new Set(seen).size === 2;
    }, PATIENT);
    const question = { role: "user", content: "Hello" };
    for (let round = 0; round < 4; round++) {
      const { content } = await ask("one", [question]);
      expect(content[0]?.signature).toMatch(/^att1\./);
      const history = [question, { role: "assistant", content }, question];
      // Its maker gets it back; another model cannot read it, which is named only where the seal is known for one's
      // own.
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, at) => ask(at % 2 === 0 ? "one" : "two", history)),
      );
      const losses = answers.map((answer) => answer.losses);
      expect(losses).toEqual(losses.map((_, at) => (at % 2 === 0 ? null : "messages[1].content[0]")));
    }
  });
});
