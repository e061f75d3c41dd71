import type { DashboardService } from "../../../test/dashboard/harness.ts";
import { addNamedKeys } from "../../seed/named-keys.ts";
import { seedDatabase } from "../../seed/seed-database.ts";

const ROWS = 40_000;

/** Makes a project with a year of made-up calls, owned by the only account. Returns its id. */
export async function seedCompany({ store, dashboard }: DashboardService): Promise<string> {
  const { id: ownerId } = await store.query().selectFrom("UserAccount").select("id").executeTakeFirstOrThrow();
  const project = await dashboard.projects.create("Example Inc.", ownerId);
  if (project === undefined) throw new Error("the project of made-up calls exists already");
  await addNamedKeys(store, project.id);
  await seedDatabase(store, { projectId: project.id, rows: ROWS, bodies: 2000, end: new Date(), seed: 1 });
  return project.id;
}
