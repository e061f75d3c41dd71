import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { generateKey } from "../../src/store/keys/key-format.ts";
import { complained, printed, run, statusOf, useRemoteService } from "./remote.ts";

const EXAMPLE = join(import.meta.dirname, "../../docs/projects.example.yaml");

let folder: string;

useRemoteService();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "attune-apply-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe("attune apply", () => {
  it("shows the changes of the example and changes nothing, applies it with --yes, and finds nothing to do then", async () => {
    const shown = await run("apply", "-f", EXAMPLE);
    expect([process.exitCode, complained]).toEqual([2, "Nothing was changed: --yes applies it.\n"]);
    expect(shown.split("\n")).toEqual([
      "+ project team-search",
      "+ project team-support",
      '+ member team-search/ada@example.com  role: "owner"',
      '+ member team-search/grace@example.com  role: "viewer"',
      '+ key team-search/backend  tags: {"team":"search"}, limits.requestsPerMinute: 600',
      '+ key team-search/analytics  permissions: ["read:project"], expiresAt: "2037-12-31T00:00:00.000Z"',
      "+ key team-support/bot",
      '+ limits team-search/project  usdPerMonth: 500, models: ["claude-haiku-5-5","gpt-6-astra"]',
      "+ limits team-search/each end user  usdPerDay: 1",
      "+ limits team-search/end user customer-42  usdPerDay: 5",
      "+ limits team-search/tag feature=summaries  usdPerDay: 20",
      "+ limits team-support/each key  concurrentCalls: 8",
      '+ learning team-search/all workloads  mode: "on", objective: "cost"',
      "+ learning team-search/gpt-6-astra  " +
        'objective: "quality", shadow.share: 0.02, shadow.judge: "claude-sonnet-5-5", shadow.usdPerDay: 2',
      '+ settings team-search  bodies: "redacted", aliases.fast: "claude-haiku-5-5"',
      "+ limits installation  usdPerMonth: 20000",
      "",
      "16 to create, 0 to change, 0 to adopt, 0 to remove.",
    ]);
    process.exitCode = undefined;
    await expect(run("apply", "-f", EXAMPLE, "--yes")).rejects.toThrow("exit 1");
    expect(complained).toContain("5 new secrets would be lost (team-search/ada@example.com, ");
    const secretsOut = join(folder, "secrets.json");
    expect((await run("apply", "-f", EXAMPLE, "--yes", "--secrets-out", secretsOut)).split("\n").at(-1)).toBe(
      "Applied.",
    );
    expect(statSync(secretsOut).mode & 0o777).toBe(0o600);
    const secrets = JSON.parse(readFileSync(secretsOut, "utf8"));
    expect(secrets.keys.map(({ project, name }: Record<string, string>) => `${project}/${name}`)).toEqual([
      ...["team-search/backend", "team-search/analytics", "team-support/bot"],
    ]);
    for (const { secret } of secrets.keys) expect(await statusOf(secret)).toBe(200);
    expect(secrets.invitations).toEqual([
      {
        project: "team-search",
        email: "ada@example.com",
        link: expect.stringMatching(/^http:\/\/[\w.]+:\d+\/dashboard\/invitation#token=/),
      },
      { project: "team-search", email: "grace@example.com", link: expect.any(String) },
    ]);
    expect(await run("apply", "-f", EXAMPLE)).toBe("No changes: all that the file mentions is so.");
    expect(process.exitCode).toBeUndefined();
  });

  it("lists what is managed, and exports what the next apply finds as it is", async () => {
    expect(await run("apply", "--list")).toMatch(/\nmember {2,}team-search {2,}grace@example\.com {2,}\d{4}-/);
    expect(await run("apply", "--list")).toMatch(/\nlimits {2,}team-search {2,}each end user {2,}\d{4}-/);
    const file = join(folder, "exported.yaml");
    expect(await run("export", "--project", "team-search", "--out", file)).toBe("");
    const exported = readFileSync(file, "utf8");
    expect(exported).not.toContain("hash");
    // Readers of YAML 1.1 take it for true without the quotes.
    expect(exported).toContain('mode: "on"');
    expect(JSON.parse(await run("apply", "-f", file, "--json"))).toMatchObject({ applied: false, changes: [] });
    expect(await run("export", "--hashes")).toMatch(/hash: [0-9a-f]{64}/);
  });

  it("leaves what a file does not mention, says so, and takes away what is null", async () => {
    const limits = "limits: { usdPerDay: 5, requestsPerMinute: 60, models: [gpt-6-astra] }";
    await run("apply", "-f", write("all.yaml", `projects: [{ name: parts, ${limits} }]`), "--yes");
    const part = write("part.yaml", "projects: [{ name: parts, limits: { usdPerDay: 4, models: null } }]");
    expect((await run("apply", "-f", part, "--yes")).split("\n")).toEqual([
      '~ limits parts/project  usdPerDay: 5 -> 4, models: ["gpt-6-astra"] -> -',
      ...["", "0 to create, 1 to change, 0 to adopt, 0 to remove."],
      expect.stringContaining("Managed and not in the file"),
      "Not in the file, and stays (null takes it away):",
      ...["    limits parts/project  requestsPerMinute: 60", "Applied."],
    ]);
    const again = JSON.parse(await run("apply", "-f", part, "--json"));
    expect(again).toMatchObject({ changes: [], kept: [{ action: "keep", fields: [{ field: "requestsPerMinute" }] }] });
    expect(await run("apply", "-f", part)).toContain("No changes: all that the file mentions is so.\n");
  });

  it("takes the secret of a key from a file or the environment, and never shows it", async () => {
    const [{ key: inFile }, { key: inEnvironment }] = [generateKey(), generateKey()];
    vi.stubEnv("CI_KEY", inEnvironment);
    const keys = `[{ name: a, secret: "\${file:${write("key", `${inFile}\n`)}}" }, { name: b, secret: "\${env:CI_KEY}" }]`;
    const file = write("given.yaml", `projects:\n  - name: given\n    keys: ${keys}\n`);
    const shown = JSON.parse(await run("apply", "-f", file, "--yes", "--json"));
    expect(shown).toMatchObject({ applied: true, changes: [{ action: "create", kind: "project" }, {}, {}] });
    expect([await statusOf(inFile), await statusOf(inEnvironment)]).toEqual([200, 200]);
    expect(printed + complained).not.toContain(inFile);
  });

  it("removes with --prune what it manages, and says so before", async () => {
    const key = generateKey().key;
    const both = write("both.yaml", `projects: [{ name: pruned, keys: [{ name: ci, secret: ${key} }] }]`);
    await run("apply", "-f", both, "--yes");
    const less = write("less.yaml", "projects: [{ name: pruned }]");
    const absent = { action: "remove", kind: "key", project: "pruned", name: "ci", place: "", fields: [] };
    expect(JSON.parse(await run("apply", "-f", less, "--json")).absent).toContainEqual(absent);
    expect(await run("apply", "-f", less)).toContain("Managed and not in the file, which --prune removes: ");
    expect(await run("apply", "-f", less, "--prune")).toContain("\n- key pruned/ci\n");
    expect(await statusOf(key)).toBe(200);
    expect(await run("apply", "-f", less, "--prune", "--yes")).toMatch(
      /\n= project \S+ \(managed no more\)[\s\S]*\nApplied\.$/,
    );
    await expect.poll(() => statusOf(key)).toBe(401);
  });

  it.each([
    [
      "projects:\n  - name: a\n    kesy: []\n",
      "x.yaml:3:5 projects[0].kesy is not known here (do you mean keys?); the keys are name, limits",
    ],
    [
      "projects:\n  - name: a\n    limits: { usdPerDay: -1 }\n",
      "x.yaml:3:26 projects[0].limits.usdPerDay must be an amount",
    ],
    [
      "projects:\n  - name: a\n    members: [{ email: a, role: owner }]\n",
      "projects[0].members[0].email must be an e-mail",
    ],
    [
      "projects:\n  - name: a\n    keys: [{ name: k, secret: abc }]\n",
      "x.yaml:3:31 projects[0].keys[0].secret must be a whole",
    ],
    [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the reference is what is tested here.
      "projects:\n  - name: a\n    keys: [{ name: k, secret: '${env:NONE}' }]\n",
      "refers to the environment variable NONE",
    ],
    [
      "projects:\n  - name: a\n    keys: [{ name: k, hash: a }]\n",
      "x.yaml:3:29 projects[0].keys[0].hash must be the SHA-256",
    ],
    [
      "projects:\n  - name: a\n    limits:\n      models: [none-such]\n",
      "x.yaml:4:16 projects[0].limits.models[0] names",
    ],
    ["projects:\n  - name: a\n  - name: a\n", "x.yaml:3:11 projects[1].name is here twice"],
    [
      'projects:\n  - name: a\n    eachEndUser: {}\n    endUsers: [{ id: "b\\u0007", limits: {} }]\n',
      "x.yaml:4:22 projects[0].endUsers[0].id",
    ],
    ["projects: [\n", "is not valid YAML"],
  ])("names the place of a mistake in %j", async (text, message) => {
    const file = write("x.yaml", text);
    await expect(run("apply", "-f", file)).rejects.toThrow("exit 1");
    expect(complained).toContain(message);
  });

  it("does not write over a file of secrets, and leaves none where nothing was applied", async () => {
    const there = write("there.json", "{}");
    const file = write("new.yaml", "projects: [{ name: new, keys: [{ name: ci }] }]");
    await expect(run("apply", "-f", file, "--yes", "--secrets-out", there)).rejects.toThrow("exit 1");
    expect(complained).toContain("can't be created (EEXIST)");
    expect(await run("projects", "list")).not.toContain(" new ");
    expect(existsSync(join(folder, "secrets-of-none.json"))).toBe(false);
  });

  describe("on a terminal", () => {
    /** Gives the command a terminal on which somebody types a text, and then, with `ends`, Ctrl-D. */
    function type(text: string, { ends = false } = {}): void {
      const keyboard = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => keyboard });
      keyboard.write(text);
      if (ends) keyboard.end();
      vi.spyOn(process, "stdin", "get").mockReturnValue(keyboard as unknown as typeof process.stdin);
      vi.spyOn(process.stdout, "isTTY", "get").mockReturnValue(true);
    }

    beforeEach(() => {
      Object.defineProperty(process.stdout, "isTTY", { get: () => false, configurable: true });
    });

    it.each([
      ["n\n", {}],
      ["\n", {}],
      ["nobody knows\n", {}],
      ["", { ends: true }],
    ])("asks first, and changes nothing for %j with %j", async (text, how) => {
      const file = write("asked.yaml", "projects: [{ name: asked, keys: [{ name: ci }] }]");
      type(text, how);
      expect(await run("apply", "-f", file)).toContain("+ key asked/ci");
      expect(complained).toBe("Apply it? [y/N] Nothing was changed: --yes applies it.\n");
      expect(process.exitCode).toBe(2);
      expect(await run("projects", "list")).not.toContain("asked");
    });

    it("takes Ctrl-C for a no", async () => {
      Object.defineProperty(process.stderr, "isTTY", { get: () => true, configurable: true });
      type("\u0003");
      await run("apply", "-f", write("asked.yaml", "projects: [{ name: asked }]"));
      Object.defineProperty(process.stderr, "isTTY", { get: () => false, configurable: true });
      expect(complained).toMatch(/Nothing was changed: --yes applies it\.\n$/);
      expect(process.exitCode).toBe(2);
    });

    it.each(["y\n", "YES\n"])("applies it for %j, and shows new secrets there", async (text) => {
      const name = `answered-${text.trim()}`;
      type(text);
      await run("apply", "-f", write("answered.yaml", `projects: [{ name: ${name}, keys: [{ name: ci }] }]`));
      expect(complained).toBe("Apply it? [y/N] ");
      expect(printed).toContain("Save them: they aren't shown again.\nApplied.\n");
      const secret = new RegExp(`key ${name}/ci: (att_\\S+)`).exec(printed)?.[1] ?? "";
      expect(await statusOf(secret)).toBe(200);
    });
  });
});
