import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Banner, untilServing } from "../../support/banner.ts";
import { type CliFolder, createCliFolder, type RunningCli } from "../../support/run-cli.ts";
import { FORMATS, PATH } from "../../support/sdk-calls.ts";

let folder: CliFolder;
let cli: RunningCli;
let banner: Banner;

beforeAll(async () => {
  folder = createCliFolder();
  cli = folder.start(["serve", "--log-level", "debug", "--print-secrets"], { ATTUNE_PORT: "0" });
  banner = await untilServing(cli);
});

afterAll(() => folder.remove());

describe("the log", () => {
  it("case 10: never holds a key, whatever becomes of the request", async () => {
    const { url, key } = banner;
    const other = `${key.slice(0, -4)}0000`;
    const body = JSON.stringify({
      model: "attune/claude-haiku-5-5:sandbox-error",
      max_tokens: 5,
      messages: [],
      input: "x",
    });
    const ways: Record<string, string>[] = [
      { authorization: `Bearer ${key}` },
      { "x-api-key": key },
      { authorization: `Bearer ${key}`, "x-api-key": other },
      { authorization: `Basic ${key}` },
      { "x-api-key": other },
    ];
    for (const format of FORMATS) {
      for (const headers of ways) {
        const response = await fetch(url + PATH[format], {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body,
        });
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(await response.text()).not.toContain(key.slice(-20));
      }
    }
    cli.process.kill("SIGTERM");
    const { stderr } = await cli.result;
    expect(stderr).toContain("request failed");
    expect(stderr).not.toContain(key.slice(-20));
    expect(stderr).not.toContain(other.slice(-20));
  });
});
