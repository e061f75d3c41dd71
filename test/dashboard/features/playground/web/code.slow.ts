import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeRequest } from "../../../../../src/dashboard/features/playground/web/code/code-request.ts";
import { writeCurl } from "../../../../../src/dashboard/features/playground/web/code/write-curl.ts";
import { writePython } from "../../../../../src/dashboard/features/playground/web/code/write-python.ts";
import { writeTypeScript } from "../../../../../src/dashboard/features/playground/web/code/write-typescript.ts";
import type { FormatName } from "../../../../../src/dashboard/features/playground/web/draft.ts";
import { FORMATS } from "../../../../../src/dashboard/features/playground/web/formats/formats.ts";
import { readDraft } from "../../../../../src/dashboard/features/playground/web/formats/settings.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { draftOf } from "./draft-of.ts";

const run = promisify(execFile);
const TEXT = `It's "$'{here}" \\ and there`;
const CASES = (["chat", "responses", "messages"] as const).flatMap((format) =>
  [true, false].map((streams) => ({ format, streams })),
);

const SMALL: CodeRequest = {
  origin: "http://localhost:8080",
  format: "chat",
  path: "/v1/chat/completions",
  workload: "support",
  body: {
    model: "m",
    messages: [{ role: "user", content: 'It\'s "so"' }],
    stream: true,
    tools: [],
    extra: [null, false],
  },
};

describe("code of a call", () => {
  it("quotes for a shell", () => {
    expect(writeCurl(SMALL)).toBe(`curl -sSN http://localhost:8080/v1/chat/completions \\
  -H "authorization: Bearer $ATTUNE_KEY" \\
  -H "content-type: application/json" \\
  -H 'attune-workload: support' \\
  -d '{
  "model": "m",
  "messages": [
    {
      "role": "user",
      "content": "It'\\''s \\"so\\""
    }
  ],
  "stream": true,
  "tools": [],
  "extra": [
    null,
    false
  ]
}'`);
  });

  it("has the words of Python", () => {
    expect(writePython(SMALL)).toBe(`import os

from openai import OpenAI

client = OpenAI(
    base_url="http://localhost:8080/v1",
    api_key=os.environ["ATTUNE_KEY"],
    default_headers={"attune-workload": "support"},
)
answer = client.chat.completions.create(
    model="m",
    messages=[
        {
            "role": "user",
            "content": "It's \\"so\\"",
        },
    ],
    stream=True,
    tools=[],
    extra=[
        None,
        False,
    ],
)
for event in answer:
    if event.choices:
        print(event.choices[0].delta.content or "", end="", flush=True)`);
  });

  it("quotes only the names of TypeScript that need it", () => {
    const body = { model: "m", "a-b": { c: 'x": ' } };
    expect(
      writeTypeScript({ ...SMALL, workload: "", format: "messages", body }),
    ).toBe(`import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({
  baseURL: "http://localhost:8080",
  apiKey: process.env["ATTUNE_KEY"] ?? "",
});
const answer = await client.messages.create({
  model: "m",
  "a-b": {
    c: "x\\": "
  }
});
console.log(JSON.stringify(answer.content, undefined, 2));`);
  });
});

describe("code of a call, run", () => {
  let service: TestService;
  let folder: string;

  beforeAll(async () => {
    service = await startTestService();
    // Below the project, where the SDKs are found.
    const place = join(import.meta.dirname, "..", "..", "..", "..", "..", "test-output");
    mkdirSync(place, { recursive: true });
    folder = mkdtempSync(join(place, "snippets-"));
  });

  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  function requestOf(format: FormatName, streams: boolean): CodeRequest {
    const { settings } = readDraft(draftOf({ format, streams, turns: [{ key: 0, role: "user", text: TEXT }] }));
    const { path, write } = FORMATS[format];
    return { origin: service.url, format, path, workload: "support", body: write(settings) };
  }

  it.each(CASES)("asks with the SDK: $format, stream $streams", async ({ format, streams }) => {
    const file = join(folder, `${format}-${streams}.ts`);
    writeFileSync(file, writeTypeScript(requestOf(format, streams)));
    const { stdout } = await run(process.execPath, ["--no-warnings", file], {
      env: { ...process.env, ATTUNE_KEY: service.key },
    });
    expect(stdout).toContain("not a model");
    expect(stdout).toContain("{here}");
  });

  it.each(CASES)("asks with curl: $format, stream $streams", async ({ format, streams }) => {
    const env = { ...process.env, ATTUNE_KEY: service.key };
    const { stdout } = await run("sh", ["-c", writeCurl(requestOf(format, streams))], { env });
    expect(stdout).toContain("here");
    expect(stdout).not.toContain('"error":{');
  });
});
