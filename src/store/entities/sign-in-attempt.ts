import { defineEntity, p } from "@mikro-orm/core";

/** The count of password tries by account and address, in one window of time. */
export const SignInAttempt = defineEntity({
  name: "SignInAttempt",
  tableName: "sign_in_attempt",
  indexes: [{ properties: ["expiresAt"] }],
  properties: {
    /** SHA-256 in hex of what is counted and of the window. */
    id: p.string().length(64).primary(),
    attempts: p.integer(),
    expiresAt: p.datetime(3),
  },
});
