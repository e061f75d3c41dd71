import { findProject, type ProjectInfo } from "../store/administration/find-project.ts";
import { findKey, type KeyInfo } from "../store/keys/key-repository.ts";
import { conflict, notFound } from "./checks.ts";
import type { Work } from "./handlers.ts";

/** Finds a project that the caller sees, by its id or name. Throws NOT_FOUND. */
export async function findOwnProject({ store, actor }: Work, idOrName: string) {
  const project = await findProject(store, idOrName);
  if (project === undefined || !seesProject(actor, project.id)) throw notFound("project", "project");
  return project;
}

/**
 * Returns the id of the project that a list is of; undefined for all, where the caller sees all. Throws NOT_FOUND.
 */
export async function projectOfList(work: Work, idOrName: string): Promise<ProjectInfo["id"] | undefined> {
  // A key that is bound to one sees it no more once it is deleted.
  const named = idOrName === "" ? work.actor.projectId : idOrName;
  return named === undefined ? undefined : (await findOwnProject(work, named)).id;
}

/** Finds an API key that the caller sees, by its public id. Throws NOT_FOUND. */
export async function findOwnKey({ store, actor }: Work, publicId: string): Promise<KeyInfo> {
  if (publicId === CONFIGURED_KEY) throw conflict("id", "is the bootstrapKey of the configuration: change it there");
  const key = await findKey(store, publicId);
  if (key === undefined || !seesProject(actor, key.projectId)) throw notFound("id", "key");
  return key;
}

/** The public id that calls with the configuration's key are recorded under. */
const CONFIGURED_KEY = "bootstrap";

function seesProject({ projectId }: Work["actor"], id: string): boolean {
  return projectId === undefined || projectId === id;
}
