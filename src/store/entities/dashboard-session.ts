import { defineEntity, p } from "@mikro-orm/core";
import { UserAccount } from "./user-account.ts";

/** A browser that is signed in. Its secret is not here: only the hash of it. */
export const DashboardSession = defineEntity({
  name: "DashboardSession",
  tableName: "dashboard_session",
  indexes: [{ properties: ["user"] }],
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(UserAccount).fieldName("user_id").deleteRule("cascade"),
    /** SHA-256 in hex. */
    tokenHash: p.string().length(64).unique(),
    createdAt: p.datetime(3),
    /** Up to a minute behind. */
    lastSeenAt: p.datetime(3),
    /** Network address and browser that it was signed in from. */
    address: p.text(),
    userAgent: p.text(),
  },
});
