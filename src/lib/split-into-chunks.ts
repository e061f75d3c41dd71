/** Cuts a list into lists of at most `size` items, in its order. */
export function splitIntoChunks<Item>(items: readonly Item[], size: number): (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
