import { isUuid } from "../lib/ids.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import type { Store } from "../store/types/store.ts";
import { fail } from "./output.ts";

/**
 * Finds a project by its id or its name, or the default one; ends the command where there is none, or several have the
 * name.
 */
export async function findProject(store: Store, asked: string | undefined): Promise<{ id: string; name: string }> {
  const projects = store.query().selectFrom("Project").select(["id", "name"]).where("deletedAt", "is", null);
  const text = asked ?? DEFAULT_PROJECT.id;
  const found = await (isUuid(text)
    ? projects.where("id", "=", text.toLowerCase())
    : projects.where("name", "=", text)
  ).execute();
  const [project, ...others] = found;
  if (project === undefined) fail(`there is no project '${text}'`);
  if (others.length > 0)
    fail(`${found.length} projects are called '${text}': give the id, one of ${found.map(({ id }) => id).join(", ")}`);
  return project;
}
