import type { PageEntry } from "../page-entry.ts";

/** Pages that other pages lead to; the table of pages has the rest of them, and their code. */
export const LINKED = {
  history: { path: "history", scope: "project" },
  sessions: { path: "sessions", scope: "project" },
  workloads: { path: "workloads", scope: "project" },
} as const satisfies Readonly<Record<string, Pick<PageEntry, "path" | "scope">>>;

/** Returns the address of a page, below /dashboard; undefined for a page of a project where there is none. */
export function pagePath(
  { path, scope }: Pick<PageEntry, "path" | "scope">,
  projectId: string | undefined,
): string | undefined {
  if (scope === "account") return `/${path}`;
  return projectId === undefined ? undefined : `/projects/${projectId}/${path}`;
}

const LAST_PROJECT = "attune-last-project";

/** Remembers the project that was looked at last, in this browser. */
export function rememberProject(id: string): void {
  localStorage.setItem(LAST_PROJECT, id);
}

/** Returns the id of the project that was looked at last. */
export function lastProject(): string | undefined {
  return localStorage.getItem(LAST_PROJECT) ?? undefined;
}
