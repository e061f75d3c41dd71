import { LockMode } from "@mikro-orm/core";
import { newId } from "../../lib/ids.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { Project } from "../entities/project.ts";
import { SavedView as SavedViewEntity } from "../entities/saved-view.ts";
import type { Store } from "../types/store.ts";

/** Filters of the history under a name. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** The filters as the page's address has them. */
  readonly search: string;
  readonly createdBy: string;
}

/** The saved views of projects. */
export interface SavedViews {
  /** Reads those of a project, by name. */
  list(projectId: string): Promise<SavedView[]>;
  /** Saves one, in the place of one of the same name. Resolves to false where the project has as many as it may. */
  save(projectId: string, view: Pick<SavedView, "name" | "search">): Promise<boolean>;
  /** Resolves to whether there was one. */
  remove(projectId: string, id: string): Promise<boolean>;
}

/** Most views of one project. */
export const MOST_VIEWS = 100;

/** Creates the saved views of a database. */
export function createSavedViews(store: Store): SavedViews {
  return {
    async list(projectId) {
      const views = await store.fork().find(SavedViewEntity, { project: projectId }, { orderBy: { name: "asc" } });
      return views.map(({ id, name, search, createdBy }) => ({ id, name, search, createdBy }));
    },
    save: (projectId, { name, search }) =>
      store.unitOfWork(async (em) => {
        // One at a time for each project: two cannot take the same name.
        await em.findOne(Project, projectId, { lockMode: LockMode.PESSIMISTIC_WRITE });
        const views = await em.find(SavedViewEntity, { project: projectId });
        const same = views.find((view) => view.name === name);
        if (same === undefined && views.length >= MOST_VIEWS) return false;
        const before = same === undefined ? null : { name, search: same.search };
        const id = same?.id ?? newId();
        if (same !== undefined) same.search = search;
        else {
          const createdBy = store.origin.actor.label;
          em.create(SavedViewEntity, { id, project: projectId, name, search, createdBy, createdAt: new Date() });
        }
        appendAuditEntry(em, {
          ...store.origin,
          projectId,
          action: "views.save",
          target: { kind: "view", id, name },
          before,
          after: { name, search },
        });
        return true;
      }),
    remove: (projectId, id) =>
      store.unitOfWork(async (em) => {
        const view = await em.findOne(SavedViewEntity, { project: projectId, id });
        if (view === null) return false;
        const { name, search } = view;
        appendAuditEntry(em, {
          ...store.origin,
          projectId,
          action: "views.remove",
          target: { kind: "view", id, name },
          before: { name, search },
          after: null,
        });
        em.remove(view);
        return true;
      }),
  };
}
