/** Returns the address of the page of a session. */
export function sessionPath(projectId: string, sessionId: string): string {
  return `/projects/${projectId}/sessions/${encodeURIComponent(sessionId)}`;
}
