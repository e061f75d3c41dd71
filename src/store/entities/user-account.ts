import { defineEntity, p } from "@mikro-orm/core";

/** A person who may sign in to the dashboard. */
export const UserAccount = defineEntity({
  name: "UserAccount",
  tableName: "user_account",
  properties: {
    id: p.uuid().primary(),
    /** In lower case. */
    email: p.string().length(320).unique(),
    /** Argon2id, in PHC string format. */
    passwordHash: p.text(),
    createdAt: p.datetime(3),
  },
});
