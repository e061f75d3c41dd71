const ROWS = "a[data-request]";

/** Moves the focus to the next or the previous row; to the first one that can be seen if no row has it. */
export function moveFocus(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>(ROWS)];
  const at = rows.indexOf(document.activeElement as HTMLAnchorElement);
  const firstSeen = rows.findIndex((row) => row.getBoundingClientRect().top >= 0);
  focusRow(rows[at === -1 ? Math.max(0, firstSeen) : Math.min(rows.length - 1, Math.max(0, at + step))]);
}

/** Tells whether a row has the focus. */
export function hasFocusedRow(): boolean {
  return document.activeElement?.matches(ROWS) ?? false;
}

/** Gives the focus to the row of a request, if it is listed. */
export function focusRequest(id: string): void {
  focusRow(document.querySelector<HTMLAnchorElement>(`a[data-request="${CSS.escape(id)}"]`) ?? undefined);
}

function focusRow(row: HTMLAnchorElement | undefined): void {
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: "nearest" });
}
