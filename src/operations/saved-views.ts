import { MOST_VIEWS, type SavedView, type SavedViews } from "../store/dashboard/saved-views.ts";
import { conflict, notFound, readName } from "./checks.ts";

/** Saves a view of the history, in the place of one of the same name. Throws INVALID_REQUEST and CONFLICT. */
export async function saveView(
  views: SavedViews,
  projectId: string,
  { name, search }: Pick<SavedView, "name" | "search">,
): Promise<void> {
  if (await views.save(projectId, { name: readName(name, "name"), search })) return;
  throw conflict("name", `the project has ${MOST_VIEWS} views, the most: remove one first`);
}

/** Removes a view. Throws NOT_FOUND. */
export async function removeView(views: SavedViews, projectId: string, id: string): Promise<void> {
  if (!(await views.remove(projectId, id))) throw notFound("id", "view");
}
