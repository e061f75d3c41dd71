import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { untilServing } from "../support/banner.ts";
import { type CliFolder, createCliFolder, type RunningCli } from "../support/run-cli.ts";

const yamlOf = (model: string, server = "") => `
server: { port: 0, ${server} }
models:
  - name: ${model}
    family: chat
    contextWindow: 100000
    maxOutputTokens: 1000
    deployments: [{ upstream: sandbox, model: any }]
`;

describe("reading the configuration again", { timeout: 120_000 }, () => {
  let folder: CliFolder;

  beforeEach(() => {
    folder = createCliFolder();
  });

  afterEach(() => folder.remove());

  it("serves by it after SIGHUP, and by the former one where it has mistakes", async () => {
    write(yamlOf("former"));
    const { cli, models } = await serve();
    expect(await models()).toEqual(["attune/former"]);
    write("models: [{ name: latter }]");
    cli.process.kill("SIGHUP");
    await logs(cli, "nothing changes: the configuration has mistakes");
    expect(await models()).toEqual(["attune/former"]);
    write(yamlOf("latter", "drainMs: 1"));
    cli.process.kill("SIGHUP");
    await logs(cli, '"settings":["server"]');
    expect(await models()).toEqual(["attune/latter"]);
    // The server's settings serve from a restart on.
    await expect.poll(changedSections, { timeout: 60_000 }).toEqual([[], ["models"]]);
    cli.process.kill("SIGTERM");
    expect((await cli.result).status).toBe(0);
  });

  it.runIf(process.platform === "linux")(
    "is what SIGHUP means on a terminal too, until the terminal is closed",
    async () => {
      write(yamlOf("former"));
      const { cli, pid, url } = await serveOnTerminal();
      process.kill(pid, "SIGHUP");
      await vi.waitUntil(() => cli.printed().includes("the configuration was read again"), { timeout: 60_000 });
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      cli.process.kill("SIGKILL");
      // Its log cannot be written to any more, and that must not keep it.
      await vi.waitUntil(() => hasEnded(pid), { timeout: 60_000 });
    },
  );

  it("looks for a change of the file where server.watchConfig says so", async () => {
    write(yamlOf("former", "watchConfig: true"));
    const { cli, models } = await serve();
    let count = 0;
    // The first look at the file may come after the first of these.
    await vi.waitUntil(
      () => {
        write(`${yamlOf("latter-model", "watchConfig: true")}# ${count++}\n`);
        return cli.complained().includes("the configuration was read again");
      },
      { timeout: 60_000, interval: 500 },
    );
    expect(await models()).toEqual(["attune/latter-model"]);
  });

  it("looks for a change of the files that it takes values from, too", async () => {
    const file = join(folder.path, "name");
    writeFileSync(file, "former\n");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the reference is what is tested.
    write(yamlOf("${file:name}", "watchConfig: true"));
    const { cli, models } = await serve();
    expect(await models()).toEqual(["attune/former"]);
    let ends = "\n";
    // The first look at the file may come after the first of these.
    await vi.waitUntil(
      () => {
        writeFileSync(file, `latter${ends}`);
        ends = ends === "\n" ? "" : "\n";
        return cli.complained().includes("the configuration was read again");
      },
      { timeout: 60_000, interval: 500 },
    );
    expect(await models()).toEqual(["attune/latter"]);
  });

  function write(yaml: string): void {
    writeFileSync(join(folder.path, "attune.yaml"), yaml);
  }

  /** Returns the sections that differed at each start and reload, as the audit log has them. */
  async function changedSections(): Promise<readonly string[][]> {
    const { stdout } = await folder.run(["audit-log", "--json", "--action", "configuration"]);
    return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).after.changed]));
  }

  async function serve() {
    const cli = folder.start(["serve", "--print-secrets"]);
    const { url, key } = await untilServing(cli);
    const models = async (): Promise<string[]> => {
      const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
      return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    };
    return { cli, models };
  }

  /** Serves as the program of a terminal, whose end is that of its `script`. */
  async function serveOnTerminal() {
    const cli = folder.start(["serve"], {}, [
      "sh",
      "-c",
      'exec script -qc "echo pid \\$\\$.; exec $*" /dev/null',
      "sh",
    ]);
    await vi.waitUntil(() => cli.printed().includes("curl"), { timeout: 60_000 });
    const pid = Number(/pid (\d+)\./.exec(cli.printed())?.[1]);
    return { cli, pid, url: /address {3}(http:\S+)\s/.exec(cli.printed())?.[1] ?? "" };
  }
});

async function logs(cli: RunningCli, text: string): Promise<void> {
  await vi.waitUntil(() => cli.complained().includes(text), { timeout: 60_000 });
}

/** Tells whether a process has ended, whoever was to be told of it. */
function hasEnded(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return true;
  }
}
