import { defineEntity, p } from "@mikro-orm/core";
import { UserAccount } from "./user-account.ts";

/** A browser that is signed in. Its secret is not here: only the hash of it. */
export const DashboardSession = defineEntity({
  name: "DashboardSession",
  tableName: "dashboard_session",
  indexes: [{ properties: ["user"] }, { properties: ["issuer", "subject"] }],
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
    /** The provider that the person signed in through, and how it names person and session; null for a password. */
    issuer: p.text().nullable(),
    subject: p.text().nullable(),
    providerSession: p.text().nullable(),
    /** Encrypted with the secret of the session, which is not here. */
    refreshToken: p.text().nullable(),
    /** When the provider last said that the session goes on. */
    checkedAt: p.datetime(3).nullable(),
    /** Until when a process that asks the provider is waited for. */
    refreshingUntil: p.datetime(3).nullable(),
  },
});
