import { newId } from "../../lib/ids.ts";
import type { Store } from "../types/store.ts";
import type { OwnProject } from "./memberships.ts";

/** Projects, as their members change them. */
export interface Projects {
  /** Creates a project with its first owner. Resolves to undefined if the name is taken. */
  create(name: string, ownerId: string): Promise<OwnProject | undefined>;
  /** Resolves to whether it was renamed: names are unique. */
  rename(id: string, name: string): Promise<boolean>;
}

/** Creates the projects of a database. */
export function createProjects(store: Store): Projects {
  return {
    async create(name, ownerId) {
      const id = newId();
      return await store.transaction(async (tables) => {
        const { numInsertedOrUpdatedRows } = await tables
          .insertInto("Project")
          .values({ id, name, createdAt: new Date() })
          .onConflict((conflict) => conflict.column("name").doNothing())
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows === 0n) return undefined;
        await tables
          .insertInto("Membership")
          .values({ userId: ownerId, projectId: id, role: "owner", createdAt: new Date() })
          .execute();
        return { id, name, role: "owner" as const };
      });
    },
    async rename(id, name) {
      return await store.transaction(async (tables) => {
        const taken = await tables
          .selectFrom("Project")
          .select("id")
          .where("name", "=", name)
          .where("id", "!=", id)
          .executeTakeFirst();
        if (taken !== undefined) return false;
        await tables.updateTable("Project").set({ name }).where("id", "=", id).execute();
        return true;
      });
    },
  };
}
