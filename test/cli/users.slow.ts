import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newAccount } from "../../src/store/dashboard/accounts.ts";
import { createDashboardStore } from "../../src/store/dashboard/dashboard-store.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import type { Store } from "../../src/store/types/store.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";

describe.each(ENGINES)("attune users on %s", (engine) => {
  const databases = useDatabases(engine);
  let folder: CliFolder;
  let store: Store;

  beforeAll(async () => {
    folder = createCliFolder();
    store = await openStore(databases.url);
    const account = newAccount("Someone@example.com", "hash");
    await store.query().insertInto("UserAccount").values(account).execute();
    const membership = { user: account.id, project: DEFAULT_PROJECT.id, role: "viewer", createdAt: new Date() };
    await store.query().insertInto("Membership").values(membership).execute();
    await store.query().insertInto("UserAccount").values(newAccount("nowhere@example.com", "hash")).execute();
  });

  afterAll(async () => {
    await folder.remove();
    await store.close();
  });

  const run = (...args: string[]) => folder.run(["users", ...args], { ATTUNE_DATABASE_URL: databases.url });

  it("lists accounts with their projects", async () => {
    const { status, stdout, stderr } = await run("list");
    expect([status, stderr]).toEqual([0, ""]);
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    const time = expect.stringMatching(/^20.*Z$/);
    expect(rows).toEqual([
      ["E-MAIL", "CREATED", "PROJECTS"],
      ["someone@example.com", time, `${DEFAULT_PROJECT.name} (viewer)`],
      ["nowhere@example.com", time, "none"],
    ]);
  });

  it("prints a link that works, alone on standard output", async () => {
    const { status, stdout, stderr } = await run(
      "reset",
      "SOMEONE@example.com",
      "--public-url",
      "https://attune.example.com/",
    );
    expect(status).toBe(0);
    expect(stderr).toMatch(/^It works once, until 20\S+Z, and isn't shown again\.\n$/);
    const [, secret = ""] = /^https:\/\/attune\.example\.com\/dashboard\/reset#token=([\w-]{43})\n$/.exec(stdout) ?? [];
    const { resets, accounts } = createDashboardStore(store);
    expect(await resets.open(secret)).toMatchObject({ email: "someone@example.com" });
    expect(await resets.redeem(secret, "another hash")).toMatchObject({ email: "someone@example.com" });
    expect((await accounts.findByEmail("someone@example.com"))?.passwordHash).toBe("another hash");
  });

  it("takes the configured address where none is given, and tells of an account that is not there", async () => {
    expect((await run("reset", "someone@example.com")).stdout).toMatch(/^http:\/\/[\w.]+:\d+\/dashboard\/reset#token=/);
    const { status, stdout, stderr } = await run("reset", "nobody@example.com");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toBe("attune: there is no account 'nobody@example.com': 'attune users list' lists them\n");
  });
});
