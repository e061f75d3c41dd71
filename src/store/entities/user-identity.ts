import { defineEntity, p } from "@mikro-orm/core";
import { UserAccount } from "./user-account.ts";

/** A person as a sign-in provider names them. */
export const UserIdentity = defineEntity({
  name: "UserIdentity",
  tableName: "user_identity",
  indexes: [{ properties: ["user"] }],
  properties: {
    issuer: p.text().primary(),
    subject: p.text().primary(),
    user: () => p.manyToOne(UserAccount).fieldName("user_id").deleteRule("cascade"),
    createdAt: p.datetime(3),
  },
});
