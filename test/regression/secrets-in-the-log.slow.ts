import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyPassword } from "../../src/dashboard/access/password.ts";
import { createDashboardStore, type DashboardStore } from "../../src/store/dashboard/dashboard-store.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { listKeys } from "../../src/store/keys/key-repository.ts";
import type { Store } from "../../src/store/types/store.ts";
import { untilServing } from "../support/banner.ts";
import { useDatabases } from "../support/database.ts";
import { type CliFolder, createCliFolder, type RunningCli } from "../support/run-cli.ts";

const SECRET = /att_[0-9a-z]{12}_|token=/;
const PASSWORD = "a long enough password";
const BOOTSTRAP_KEY = "a-bootstrap-key-of-tests";

let folder: CliFolder;

beforeEach(() => {
  folder = createCliFolder();
});

afterEach(() => folder.remove());

function start(environment: Record<string, string> = {}, ...options: string[]): RunningCli {
  return folder.start(["serve", "--log-level", "info", ...options], { ATTUNE_PORT: "0", ...environment });
}

async function end(cli: RunningCli): Promise<void> {
  cli.process.kill("SIGTERM");
  expect((await cli.result).status).toBe(0);
}

async function withDashboard<T>(
  url: string,
  work: (dashboard: DashboardStore, store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(url);
  try {
    return await work(createDashboardStore(store), store);
  } finally {
    await store.close();
  }
}

const databaseUrl = () => `sqlite:${join(folder.path, "data", "attune.db")}`;

describe("attune serve, whose output is no terminal", { timeout: 120_000 }, () => {
  it.each(["1", "2"])("makes and prints no secret with %s workers, and says how to come to them", async (workers) => {
    const cli = start({}, "--workers", workers);
    await untilServing(cli);
    await end(cli);
    expect(cli.printed() + cli.complained()).not.toMatch(SECRET);
    expect(cli.printed()).toContain("users create-owner\n");
    expect(cli.printed()).toContain("keys create --name NAME\n");
    await withDashboard(databaseUrl(), async ({ setup }, store) => {
      expect(await listKeys(store)).toEqual([]);
      // There is none that a command's would void.
      expect(await setup.firstLink()).toBeDefined();
    });
  });

  it("makes no key where one is configured, also with --print-secrets", async () => {
    const cli = start({ ATTUNE_BOOTSTRAP_KEY: BOOTSTRAP_KEY }, "--print-secrets");
    const { url, key } = await untilServing(cli);
    expect(key).toBe("");
    expect(cli.printed()).toContain("token=");
    expect(cli.printed()).not.toContain(BOOTSTRAP_KEY);
    // What it prints works with the key in the environment.
    const [call = ""] = cli.printed().slice(cli.printed().indexOf("curl")).split("Then rate the answer");
    const { stdout } = spawnSync("bash", ["-c", call], { env: { ...process.env, ATTUNE_KEY: BOOTSTRAP_KEY } });
    expect(JSON.parse(stdout.toString("utf8"))).toMatchObject({ model: "attune/gpt-6-astra" });
    expect(url).toMatch(/^http:\/\/127/);
    await end(cli);
  });

  it.skipIf(spawnSync("script", ["--version"]).status !== 0)("prints them on a terminal", async () => {
    const log = join(folder.path, "terminal.log");
    const under = ["script", "--quiet", "--flush", "--return", "--command"];
    // `script` takes the command in one argument.
    const cli = folder.start(["serve"], { ATTUNE_PORT: "0" }, [
      "bash",
      "-c",
      `exec ${under.join(" ")} "$*" ${log}`,
      "-",
    ]);
    await expect.poll(() => cli.printed(), { timeout: 60_000 }).toMatch(/\n {4}-d '.*'/);
    expect(readFileSync(log, "utf8")).toMatch(/token=[\w-]{43}/);
    expect(readFileSync(log, "utf8")).toMatch(/\n {4}att_[0-9a-z]{12}_/);
  });

  it("has server.publicUrl in what it prints, and so have the commands", async () => {
    writeFileSync(join(folder.path, "attune.yaml"), "server: { publicUrl: https://attune.example.com }\n");
    const cli = start({}, "--print-secrets");
    await untilServing(cli);
    await end(cli);
    const printed = cli.printed();
    expect(printed).toContain("  address   https://attune.example.com\n  listens   http://127.0.0.1:");
    expect(printed).toContain("    https://attune.example.com/dashboard/setup#token=");
    expect(printed).toContain("  curl -sS https://attune.example.com/v1/chat/completions");
    expect(printed.match(/127\.0\.0\.1/g)).toHaveLength(1);
    const { stdout } = await folder.run(["users", "create-owner"]);
    expect(stdout).toMatch(/^https:\/\/attune\.example\.com\/dashboard\/setup#token=[\w-]{43}\n$/);
  });
});

describe("attune users create-owner", { timeout: 60_000 }, () => {
  it("prints a link that works, in place of the one before", async () => {
    const before = /token=(\S+)/.exec((await folder.run(["users", "create-owner"])).stdout)?.[1] ?? "";
    const { status, stdout, stderr } = await folder.run(["users", "create-owner", "--public-url", "http://h:1/"]);
    expect([status, stderr]).toEqual([0, "It works once, for a day, and isn't shown again.\n"]);
    const secret = /^http:\/\/h:1\/dashboard\/setup#token=([\w-]{43})\n$/.exec(stdout)?.[1] ?? "";
    await withDashboard(databaseUrl(), async ({ setup }) => {
      expect([await setup.accepts(before), await setup.accepts(secret)]).toEqual([false, true]);
    });
  });

  it("makes the account with a password from a file or standard input, and never a second one", async () => {
    writeFileSync(join(folder.path, "password"), `${PASSWORD}\r\n`);
    const create = (file: string, email: string) =>
      folder.run(["users", "create-owner", "--email", email, "--password-file", file]);
    // Standard input of these commands is empty.
    expect((await create("-", "a@example.com")).stderr).toBe(
      "attune: --password-file: the password must have 12 characters or more\n",
    );
    const { status, stdout, stderr } = await create("password", "Owner@Example.com");
    expect([status, stdout, stderr]).toEqual([0, "made the account owner@example.com, owner of default\n", ""]);
    writeFileSync(join(folder.path, "password"), "another long password");
    for (const again of [create("password", "owner@example.com"), folder.run(["users", "create-owner"])]) {
      expect(await again).toMatchObject({ status: 1, stdout: "", stderr: /there is an account already/ });
    }
    await withDashboard(databaseUrl(), async ({ accounts }) => {
      const owner = await accounts.findByEmail("owner@example.com");
      expect(await verifyPassword(PASSWORD, owner?.passwordHash ?? undefined)).toBe(true);
      expect(await accounts.list()).toHaveLength(1);
    });
  });
});

describe("ATTUNE_OWNER_EMAIL and ATTUNE_OWNER_PASSWORD_FILE", { timeout: 120_000 }, () => {
  const databases = useDatabases("postgres");
  const owner = (email = "owner@example.com") => ({
    ATTUNE_OWNER_EMAIL: email,
    ATTUNE_OWNER_PASSWORD_FILE: join(folder.path, "password"),
  });

  it("make one account of several replicas that start at once, and later starts leave it as it is", async () => {
    writeFileSync(join(folder.path, "password"), `${PASSWORD}\n`);
    const url = databases.newUrl();
    const emails = ["one@example.com", "two@example.com"];
    const replicas = emails.map((email) => start({ ATTUNE_DATABASE_URL: url, ...owner(email) }));
    await Promise.all(replicas.map(untilServing));
    await Promise.all(replicas.map(end));
    for (const { printed } of replicas) expect(printed()).not.toContain("create-owner");
    const read = () =>
      withDashboard(url, async ({ accounts }) => {
        const [account, ...others] = await accounts.list();
        expect(others).toEqual([]);
        expect(account?.projects).toMatchObject([{ name: "default", role: "owner" }]);
        return await accounts.findByEmail(account?.email ?? "");
      });
    const account = await read();
    expect(emails).toContain(account?.email);
    expect(await verifyPassword(PASSWORD, account?.passwordHash ?? undefined)).toBe(true);
    // Its file may be gone by then.
    const environment = { ...owner(), ATTUNE_OWNER_PASSWORD_FILE: "nowhere" };
    const later = start({ ATTUNE_DATABASE_URL: url, ...environment }, "--workers", "2");
    await untilServing(later);
    await end(later);
    expect(await read()).toEqual(account);
  });

  it.each([
    [{ ATTUNE_OWNER_EMAIL: "a@example.com" }, "ATTUNE_OWNER_EMAIL is set without ATTUNE_OWNER_PASSWORD_FILE"],
    [{ ATTUNE_OWNER_PASSWORD_FILE: "password" }, "ATTUNE_OWNER_PASSWORD_FILE is set without ATTUNE_OWNER_EMAIL"],
    [{ ATTUNE_OWNER_PASSWORD_FILE: "nowhere" }, "ATTUNE_OWNER_PASSWORD_FILE: 'nowhere' cannot be read (ENOENT)"],
    [{ ATTUNE_OWNER_PASSWORD_FILE: "." }, "ATTUNE_OWNER_PASSWORD_FILE: '.' cannot be read (EISDIR)"],
    [{ ATTUNE_OWNER_PASSWORD_FILE: "/dev/zero" }, "must have one line of UTF-8 text, which is the password"],
    [
      { ATTUNE_OWNER_PASSWORD_FILE: "short" },
      "ATTUNE_OWNER_PASSWORD_FILE: the password must have 12 characters or more",
    ],
    [{ ATTUNE_OWNER_PASSWORD_FILE: "lines" }, "must have one line of UTF-8 text, which is the password"],
    [{ ATTUNE_OWNER_EMAIL: "nobody" }, "ATTUNE_OWNER_EMAIL must be an e-mail address"],
  ])("end the start where they are wrong: %j", async (wrong, message) => {
    writeFileSync(join(folder.path, "password"), PASSWORD);
    writeFileSync(join(folder.path, "short"), "s3cret\n");
    writeFileSync(join(folder.path, "lines"), "s3cret of many\nlines\n");
    const isAlone = message.includes("is set without");
    const { status, stdout, stderr } = await folder.run(["serve"], {
      ATTUNE_PORT: "0",
      ...(isAlone ? {} : owner()),
      ...wrong,
    } as Record<string, string>);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("s3cret");
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
