/** Returns the address of the refused calls of a project, of one reason or of all. */
export function refusedPath(projectId: string, reason?: string): string {
  const path = `/projects/${projectId}/errors/refused`;
  return reason === undefined ? path : `${path}?${new URLSearchParams({ reason })}`;
}
