import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { yamlFor } from "../support/service.ts";

const WRONG = `server: { port: 99999 }
bootstrapKey: short
upstreams:
  chat: { kind: telegraph }
nonsense: 1
`;
const MISTAKES = [
  "wrong.yaml:1:17 server.port must be a whole number from 0 to 65535",
  "wrong.yaml:2:15 bootstrapKey must have 16 to 512 characters",
  "wrong.yaml:4:17 upstreams.chat.kind must be openai-chat, openai-responses, anthropic-messages, bedrock-converse or sandbox",
  "wrong.yaml:5:1 nonsense is not known here; the keys are prefix, server, dashboard, database, spool, log, telemetry, retention, quotas, alerts, figures, bootstrapKey, upstreams, learning, routing, audit, models",
];

let folder: CliFolder;

beforeAll(() => {
  folder = createCliFolder();
  writeFileSync(join(folder.path, "right.yaml"), yamlFor("http://127.0.0.1:9"));
  writeFileSync(join(folder.path, "wrong.yaml"), WRONG);
});

afterAll(() => folder.remove());

describe.concurrent("attune check", () => {
  it("says what is configured where nothing is", async () => {
    const { status, stdout, stderr } = await folder.run(["check"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n")).toEqual([
      "the built-in configuration is valid",
      "listens on 127.0.0.1:8080",
      "keeps records in sqlite:./data/attune.db",
      "upstream sandbox: sandbox",
      "model attune/gpt-6-astra: sandbox (sandbox)",
      "model attune/claude-fable-5-2: sandbox (sandbox)",
      "model attune/claude-sonnet-5-5: sandbox (sandbox)",
      "model attune/claude-haiku-5-5: sandbox (sandbox)",
      "no provider is configured: the sandbox generates test answers for attune/gpt-6-astra, attune/claude-fable-5-2, attune/claude-sonnet-5-5, attune/claude-haiku-5-5",
      "",
    ]);
  });

  it("says what a file configures, without its secrets", async () => {
    const { status, stdout, stderr } = await folder.run(["check", "right.yaml"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("right.yaml is valid\n");
    expect(stdout).toContain(
      "upstream chat: openai-chat at http://127.0.0.1:9/v1, with a key, profile unknown (guessed from baseUrl)\n",
    );
    expect(stdout).toContain("model attune/messenger: messages (real-messenger)\n");
    expect(stdout).not.toContain("secret");
  });

  it.each([
    ["a file", ["check", "wrong.yaml"], {}],
    ["the file of ATTUNE_CONFIG", ["check"], { ATTUNE_CONFIG: "wrong.yaml" }],
  ])("lists every mistake of %s with its line, with status 1", async (_what, args, environment) => {
    const { status, stdout } = await folder.run(args, environment);
    expect([status, stdout.split("\n")]).toEqual([1, [...MISTAKES, "4 mistakes", ""]]);
  });

  it("names the environment variable that is wrong", async () => {
    const { status, stdout } = await folder.run(["check"], { ATTUNE_PORT: "http" });
    expect([status, stdout]).toEqual([1, "ATTUNE_PORT must be a whole number from 0 to 65535\n1 mistake\n"]);
  });

  it("fails with --strict where there is a warning, as an operator means a model that is not served", async () => {
    // One letter is wrong: without it the provider would serve.
    const environment = { OPENAI_API_KEZ: "sk-a-key", ANTHROPIC_API_KEY: "sk-ant-key" };
    const loose = await folder.run(["check"], environment);
    expect([loose.status, loose.stdout]).toEqual([0, expect.stringContaining("gpt-6-astra")]);
    const strict = await folder.run(["check", "--strict"], environment);
    expect(strict.status).toBe(1);
    expect(strict.stdout).toMatch(/^\d+ warnings?, which --strict refuses$/m);
    const clean = await folder.run(["check", "right.yaml", "--strict"]);
    expect([clean.status, clean.stderr]).toEqual([0, ""]);
    expect(clean.stdout).not.toContain("refuses");
  });

  it("tells of a file that is not there", async () => {
    const { status, stdout } = await folder.run(["check", "nothing.yaml"]);
    expect(status).toBe(1);
    expect(stdout).toContain("nothing.yaml cannot be read (ENOENT)");
  });

  it.each(["serve", "migrate", "keys list"])("is what %s does first", async (command) => {
    const { status, stdout, stderr } = await folder.run(command.split(" "), { ATTUNE_CONFIG: "wrong.yaml" });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr.split("\n")).toEqual(["attune: the configuration has mistakes", ...MISTAKES, ""]);
  });

  it("asks the database and the upstreams with --online, and tells what does not answer", async () => {
    const { status, stdout, stderr } = await folder.run(["check", "right.yaml", "--online"]);
    expect([status, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(/^database .*attune\.db: doesn't exist yet; the first start creates it$/m);
    expect(stdout).toMatch(/^upstream chat: cannot be reached at http:\/\/127\.0\.0\.1:9\/v1 \(ECONNREFUSED\)$/m);
    expect(stdout).not.toContain("secret");
  });
});
