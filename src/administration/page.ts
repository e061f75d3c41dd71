/** Items of a page where the caller does not say how many. */
const DEFAULT_SIZE = 100;

/** Returns how many items a page has; 0 leaves it to the service. */
export function sizeOf(pageSize: number): number {
  return pageSize === 0 ? DEFAULT_SIZE : pageSize;
}

/** Cuts a page off what was found, which has one item more where there is another page. */
export function pageOf<Item extends { readonly id: string }>(found: readonly Item[], size: number) {
  const items = found.slice(0, size);
  return { items, nextPageToken: found.length > size ? (items.at(-1)?.id ?? "") : "" };
}
