import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkOnline } from "../../src/cli/check-online.ts";
import { checkConfig } from "../../src/config/check-config.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { useTemporaryFolders } from "../support/temporary-folder.ts";

/** A whole answer of Chat. */
const TEXT = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":1,"total_tokens":6}}`;

const temporaryFolder = useTemporaryFolders();

describe("checkOnline()", () => {
  it("asks by each of an upstream's keys, and names the refused one by its place", async () => {
    const server = createServer((request, response) => {
      const isTaken = request.headers.authorization === "Bearer sk-good";
      response.writeHead(isTaken ? 200 : 401, { "content-type": "application/json" });
      response.end(isTaken ? '{"data":[{"id":"m"}]}' : "{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const folder = temporaryFolder();
    const yaml = `
database: { url: "sqlite:${join(folder, "none.db")}" }
upstreams:
  up: { kind: openai-chat, baseUrl: "http://127.0.0.1:${(server.address() as AddressInfo).port}", apiKeys: [sk-good, sk-bad] }
models:
  - { name: m, family: chat, contextWindow: 1000, maxOutputTokens: 100, deployments: [{ upstream: up, model: m }] }
`;
    writeFileSync(join(folder, "attune.yaml"), yaml);
    const config = loadConfig({}, folder);
    expect(checkConfig({}, folder).lines).toContainEqual(expect.stringMatching(/^upstream up: .*, with 2 keys, /));
    const lines: string[] = [];
    const isWell = await checkOnline(config, (line) => lines.push(line));
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(isWell).toBe(false);
    expect(lines.slice(1)).toEqual([
      "upstream up, apiKeys[0]: answers, and has the models",
      "upstream up, apiKeys[1]: refuses the key (status 401)",
      expect.stringMatching(/^upstream up, m: text: fails: /),
    ]);
  });

  it("asks for each model that a list lacks, since servers answer for names that they don't list", async () => {
    const scripted = await startScriptedUpstream();
    scripted.answerBy((path, body) => {
      if (path.endsWith("/models")) return wholeAnswer('{"object":"list","data":[{"id":"tiny.gguf"}]}');
      if (path.includes("/models/") || body.includes('"gone"'))
        return { ...wholeAnswer('{"error":{"message":"none"}}'), status: 404 };
      return wholeAnswer(TEXT);
    });
    const folder = temporaryFolder();
    const models = ["tiny.gguf", "tiny", "gone"].map(
      (name) =>
        `  - { name: ${name}, family: chat, contextWindow: 1000, maxOutputTokens: 100, deployments: [{ upstream: up, model: ${name} }] }`,
    );
    const yaml = `
database: { url: "sqlite:${join(folder, "none.db")}" }
upstreams: { up: { kind: openai-chat, baseUrl: "${scripted.url}", apiKey: k } }
models:
${models.join("\n")}
`;
    writeFileSync(join(folder, "attune.yaml"), yaml);
    const lines: string[] = [];
    const isWell = await checkOnline(loadConfig({}, folder), (line) => lines.push(line));
    await scripted.close();
    expect(isWell).toBe(false);
    expect(lines[1]).toBe(
      "upstream up: answers, and doesn't list 'tiny', 'gone': change 'model' of its deployments if a text fails below",
    );
    expect(lines).toContainEqual(expect.stringMatching(/^upstream up, tiny: text: answers in /));
    expect(lines.filter((line) => line.startsWith("upstream up, tiny: "))).toHaveLength(1);
    expect(lines.at(-1)).toMatch(/^upstream up, gone: text: fails: status 404, /);
  });

  it("says of upstreams that sign which credentials and permissions they lack", async () => {
    const scripted = await startScriptedUpstream();
    scripted.answer({ ...wholeAnswer('{"message":"User is not authorized"}'), status: 403 });
    const folder = temporaryFolder();
    const yaml = `
database: { url: "sqlite:${join(folder, "none.db")}" }
upstreams:
  bedrock:
    kind: anthropic-messages
    platform: bedrock
    baseUrl: "${scripted.url}"
    auth: { type: aws, region: us-east-1, accessKeyId: AKIDEXAMPLE, secretAccessKey: s3cret }
  azure: { kind: openai-chat, baseUrl: "${scripted.url}", auth: { type: azure, tokenFile: /nowhere/token, tenantId: t, clientId: c } }
models:
  - name: m
    family: messages
    contextWindow: 10
    maxOutputTokens: 1
    deployments: [{ upstream: bedrock, model: "anthropic.m:0" }, { upstream: azure, model: m }]
`;
    writeFileSync(join(folder, "attune.yaml"), yaml);
    const lines: string[] = [];
    const isWell = await checkOnline(loadConfig({}, folder), (line) => lines.push(line));
    await scripted.close();
    expect(isWell).toBe(false);
    expect(lines.slice(1)).toEqual([
      "upstream bedrock: refuses the credentials (status 403): they need the permissions bedrock:InvokeModel and bedrock:InvokeModelWithResponseStream on the model",
      "upstream azure: the file of the upstream's credentials, '/nowhere/token', cannot be read (ENOENT)",
    ]);
  });
});
