import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { offerLocalServers } from "../../src/cli/serve/offer-local-servers.ts";
import type { LocalServer } from "../../src/imports/local/import-local.ts";
import { SERVER_KINDS } from "../../src/imports/local/servers.ts";
import { folder, useFolder } from "../config/harness.ts";

useFolder();

const [kind] = SERVER_KINDS;
if (kind === undefined) throw new Error("there are kinds");
const OLLAMA: LocalServer = { kind, url: "http://127.0.0.1:11434", models: [{ name: "qwen3", contextWindow: 40_960 }] };
const find = async (): Promise<LocalServer[]> => [OLLAMA];

let told = "";
beforeEach(() => {
  told = "";
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    told += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

describe("servers on this host", () => {
  it("are served where that is wanted", async () => {
    await offerLocalServers({ isWanted: true, environment: {}, cwd: folder, find });
    expect(readFileSync(join(folder, "attune.yaml"), "utf8")).toContain("- name: qwen3\n");
    expect(told).toContain("Found Ollama at 127.0.0.1:11434: qwen3\n");
  });

  it.each([
    [true, true],
    [false, false],
  ])("are offered to a person, who says %s", async (says, isWritten) => {
    await offerLocalServers({ isWanted: false, environment: {}, cwd: folder, find, ask: async () => says });
    expect(existsSync(join(folder, "attune.yaml"))).toBe(isWritten);
    expect(told.includes("npm start -- --discover")).toBe(!isWritten);
  });

  it("are not looked for where something is configured, or a provider's key is set", async () => {
    const neverFind = async (): Promise<never> => expect.fail("it has looked");
    await offerLocalServers({ isWanted: false, environment: { OPENAI_API_KEY: "k" }, cwd: folder, find: neverFind });
    writeFileSync(join(folder, "attune.yaml"), "prefix: acme\n");
    await offerLocalServers({ isWanted: false, environment: {}, cwd: folder, find: neverFind });
    expect(told).toBe("");
  });
});
