import { LockMode } from "@mikro-orm/core";
import { isUuid } from "../../lib/ids.ts";
import { Project } from "../entities/project.ts";
import type { Store } from "../types/store.ts";

/** A project as its row has it. */
export interface ProjectInfo {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** Finds a project by its id or its name, unless it was deleted. */
export async function findProject(store: Store, idOrName: string): Promise<ProjectInfo | undefined> {
  const where = isUuid(idOrName) ? { id: idOrName.toLowerCase() } : { name: idOrName };
  return toInfo(await store.fork().findOne(Project, { ...where, deletedAt: null }));
}

/** Reads a project as a part of a transaction; until it ends nobody else changes the project or its keys. */
export async function lockProject(store: Store, id: string): Promise<ProjectInfo | undefined> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  return toInfo(await store.fork().findOne(Project, { id, deletedAt: null }, options));
}

function toInfo(found: ProjectInfo | null): ProjectInfo | undefined {
  return found === null ? undefined : { id: found.id, name: found.name, createdAt: found.createdAt };
}
