import { defineEntity, p } from "@mikro-orm/core";
import { UserAccount } from "./user-account.ts";

/**
 * A link through which someone chooses a new password; at most one of each person. Its secret is not here: only the
 * hash.
 */
export const PasswordReset = defineEntity({
  name: "PasswordReset",
  tableName: "password_reset",
  properties: {
    user: () => p.manyToOne(UserAccount).primary().fieldName("user_id").deleteRule("cascade"),
    /** SHA-256 in hex. */
    tokenHash: p.string().length(64).unique(),
    /** The maker; null for the command line. */
    madeBy: () => p.manyToOne(UserAccount).nullable().fieldName("made_by").deleteRule("cascade"),
    expiresAt: p.datetime(3),
  },
});
