import { createContext, use } from "react";
import { useParams } from "react-router";
import { includesPermission, type Permission } from "../../../vocabulary/permissions.ts";
import type { Outputs } from "../api/trpc.ts";

/** The signed-in user with their projects. */
export type Session = Extract<Outputs["session"]["current"], { projects: unknown }>;

/** A project of who is signed in, with their role in it. */
export type OwnProject = Session["projects"][number];

/** Hands the session down to all pages. */
export const SessionContext = createContext<Session | undefined>(undefined);

/** Returns who is signed in. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("this is shown only to people who are signed in");
  return session;
}

/** Returns the project that the address names; only pages of a project may ask. */
export function useProject(): OwnProject {
  const { projectId } = useParams();
  const project = useSession().projects.find(({ id }) => id === projectId);
  if (project === undefined) throw new Error("this is shown only within a project");
  return project;
}

/** Tells whether the role in a project has a permission; the server checks again. */
export function mayAct({ role }: OwnProject, permission: Permission): boolean {
  return includesPermission(role, permission);
}
