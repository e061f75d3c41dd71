const NAME = "attune-last-request";

/** Remembers which request was opened last, so that the way back leads to its row. */
export function rememberOpened(id: string): void {
  sessionStorage.setItem(NAME, id);
}

/** Returns the request that was opened last, once. */
export function takeOpened(): string | undefined {
  const id = sessionStorage.getItem(NAME) ?? undefined;
  sessionStorage.removeItem(NAME);
  return id;
}
