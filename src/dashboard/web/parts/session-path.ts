/** Returns the address of the calls of a session. */
export function sessionPath(projectId: string, sessionId: string): string {
  return `/projects/${projectId}/history?${new URLSearchParams({ session: sessionId })}`;
}
