import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { newAccount } from "../../../src/store/dashboard/accounts.ts";
import { createDashboardStore } from "../../../src/store/dashboard/dashboard-store.ts";
import { hashToken } from "../../../src/store/dashboard/tokens.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

/** Long enough for who waits for a transaction to come to where it waits. */
const WHILE_MS = 100;

describe.each(ENGINES)("createSessions() on %s", (engine) => {
  const databases = useDatabases(engine);

  async function makeAccount() {
    const account = newAccount(`${randomUUID()}@example.com`, "old hash");
    await databases.store.query().insertInto("UserAccount").values(account).execute();
    return { dashboard: createDashboardStore(databases.store), userId: account.id };
  }
  const browser = (userId: string) => ({ userId, address: "127.0.0.1", userAgent: "test" });

  it("begins a session by the password that the account has, and by no other", async () => {
    const { dashboard, userId } = await makeAccount();
    const begun = await dashboard.sessions.beginByPassword(browser(userId), "old hash");
    expect(await dashboard.sessions.resume(begun?.secret ?? "")).toMatchObject({ userId, sessionId: begun?.id });
    expect(await dashboard.sessions.beginByPassword(browser(userId), "another hash")).toBeUndefined();
    expect(await dashboard.sessions.list(userId)).toHaveLength(1);
  });

  it("begins none by a password that is being replaced", async () => {
    const { dashboard, userId } = await makeAccount();
    const replaced = await databases.store.transaction(async (tables) => {
      await tables.updateTable("UserAccount").set({ passwordHash: "new hash" }).where("id", "=", userId).execute();
      const beginning = dashboard.sessions.beginByPassword(browser(userId), "old hash");
      await delay(WHILE_MS);
      return { beginning };
    });
    expect(await replaced.beginning).toBeUndefined();
  });

  it("ends what begins by the old password while a new one is chosen", async () => {
    const { dashboard, userId } = await makeAccount();
    const { secret } = await dashboard.resets.createForAccount(userId);
    const begun = await databases.store.transaction(async (tables) => {
      // What beginByPassword() does until it is through.
      const account = tables.selectFrom("UserAccount").select("id").where("id", "=", userId);
      await (engine === "postgres" ? account.forShare() : account).execute();
      const times = { createdAt: new Date(), lastSeenAt: new Date() };
      const session = {
        id: newId(),
        user: userId,
        tokenHash: hashToken("secret"),
        address: "",
        userAgent: "",
        ...times,
      };
      await tables.insertInto("DashboardSession").values(session).execute();
      const redeeming = dashboard.resets.redeem(secret, "new hash");
      await delay(WHILE_MS);
      return { redeeming };
    });
    expect(await begun.redeeming).toMatchObject({ userId });
    expect(await dashboard.sessions.list(userId)).toEqual([]);
  });
});
