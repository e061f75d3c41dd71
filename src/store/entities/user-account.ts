import { defineEntity, p } from "@mikro-orm/core";

/** A person who may sign in to the dashboard. */
export const UserAccount = defineEntity({
  name: "UserAccount",
  tableName: "user_account",
  properties: {
    id: p.uuid().primary(),
    /** In lower case. */
    email: p.string().length(320).unique(),
    /** Argon2id, in PHC string format; null where the person signs in through a provider alone. */
    passwordHash: p.text().nullable(),
    /** True for the first account, whose password works also where sign-in through a provider is required. */
    isFirstOwner: p.boolean().nullable(),
    createdAt: p.datetime(3),
  },
});
