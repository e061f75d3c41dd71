import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startDashboardBuild } from "../../src/dashboard/build/dashboard-build.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { untilServing } from "../support/banner.ts";
import { readInference } from "../support/read-inference.ts";
import { type CliFolder, createCliFolder, type RunningCli } from "../support/run-cli.ts";

const run = promisify(execFile);

let folder: CliFolder;
let file: string;
let first: RunningCli;

beforeAll(async () => {
  // A start that has to build says so on standard error.
  await startDashboardBuild(() => {}).done;
  folder = createCliFolder();
  file = join(folder.path, "data", "attune.db");
  first = await start("--print-secrets");
});

afterAll(() => folder.remove());

/** Starts the service on a free port; resolves once its banner is complete. */
async function start(...options: string[]): Promise<RunningCli> {
  const cli = folder.start(["serve", "--log-level", "silent", ...options], { ATTUNE_PORT: "0" });
  await untilServing(cli);
  return cli;
}

/** The banner with the port and the key, which differ each time, named. */
function bannerOf(cli: RunningCli): string {
  return cli
    .printed()
    .replaceAll(/:\d{4,5}\b/g, ":PORT")
    .replaceAll(/token=[\w-]{43}$/gm, "token=SECRET")
    .replaceAll(/att_[0-9a-z]{12}_[0-9A-Za-z]{43}/g, "KEY");
}

function head(): string {
  return `
  Attune serves

  address   http://127.0.0.1:PORT
  dashboard http://127.0.0.1:PORT/dashboard
  data      ${file}
  config    built in; docs/configuration.md has the ten settings that matter
  models
    attune/gpt-6-astra        responses  by sandbox
    attune/claude-fable-5-2   messages   by sandbox
    attune/claude-sonnet-5-5  messages   by sandbox
    attune/claude-haiku-5-5   messages   by sandbox

  The sandbox is not a model: it generates test answers. Set OPENAI_API_KEY or ANTHROPIC_API_KEY, or write
  attune.yaml, for real ones.
`;
}

it("says where it serves, where the data is, what it lists, and on the first start a key with a call", () => {
  expect(bannerOf(first)).toBe(`${head()}
  Open this link to create the dashboard's first account. It works once, within a day:

    http://127.0.0.1:PORT/dashboard/setup#token=SECRET

  API key (shown only once):

    KEY

  Try it:

  curl -sS http://127.0.0.1:PORT/v1/chat/completions \\
    -H "authorization: Bearer KEY" \\
    -H "content-type: application/json" \\
    -d '{"model": "attune/gpt-6-astra", "messages": [{"role": "user", "content": "Hello"}]}'

  Then rate the answer, by the id in it:

  curl -sS http://127.0.0.1:PORT/v1/feedback \\
    -H "authorization: Bearer KEY" \\
    -H "content-type: application/json" \\
    -d '{"id": "ID", "feedback": {"helpful": true}}'

`);
});

it("answers the call that it prints, ends on SIGTERM, has kept the inference, and shows no key again", async () => {
  const printed = first.printed();
  const [call = "", rating = ""] = printed
    .slice(printed.indexOf("curl"))
    .split("Then rate the answer, by the id in it:");
  const { stdout, stderr } = await run("bash", ["-c", call]);
  expect(stderr).toBe("");
  const answer = JSON.parse(stdout) as { id: string; model: string; choices: { message: { content: string } }[] };
  expect(answer.model).toBe("attune/gpt-6-astra");
  expect(answer.choices[0]?.message.content).toContain("You said: Hello");
  const rated = await run("bash", ["-c", rating.replace('"ID"', `"${answer.id}"`)]);
  expect(JSON.parse(rated.stdout)).toMatchObject([{ error: null }]);

  first.process.kill("SIGTERM");
  const { status, stderr: complaints } = await first.result;
  expect([status, complaints]).toEqual([0, ""]);

  const store = await openStore(`sqlite:${file}`);
  const stored = await readInference(store, answer.id);
  await store.close();
  expect(stored?.row).toMatchObject({
    status: "completed",
    model: "gpt-6-astra",
    upstream: "sandbox",
    dialect: "chat",
  });

  // A later start makes no other link: the first one stays good.
  const second = await start("--print-secrets");
  expect(bannerOf(second)).toBe(`${head()}
  The dashboard has no account yet. To create a link for the first one: npm run -s attune -- users create-owner

  To create an API key: npm run -s attune -- keys create --name NAME

  Try it:

  curl -sS http://127.0.0.1:PORT/v1/chat/completions \\
    -H "authorization: Bearer $ATTUNE_KEY" \\
    -H "content-type: application/json" \\
    -d '{"model": "attune/gpt-6-astra", "messages": [{"role": "user", "content": "Hello"}]}'

  Then rate the answer, by the id in it:

  curl -sS http://127.0.0.1:PORT/v1/feedback \\
    -H "authorization: Bearer $ATTUNE_KEY" \\
    -H "content-type: application/json" \\
    -d '{"id": "ID", "feedback": {"helpful": true}}'

`);
  // A terminal sends Ctrl-C to the service and to what started it, which hands it on.
  second.process.kill("SIGINT");
  second.process.kill("SIGINT");
  expect((await second.result).status).toBe(0);
});

it("prints no secret where nobody reads it, and makes no key", async () => {
  const unread = createCliFolder();
  try {
    const cli = unread.start(["serve", "--log-level", "silent"], { ATTUNE_PORT: "0" });
    await untilServing(cli);
    expect(cli.printed()).not.toMatch(/att_[0-9a-z]{12}_|token=/);
    expect(cli.printed()).toContain("Bearer $ATTUNE_KEY");
    expect(await unread.run(["keys", "list"])).toMatchObject({
      status: 0,
      stdout: expect.not.stringMatching(/[0-9a-z]{12}/),
    });
  } finally {
    await unread.remove();
  }
});
