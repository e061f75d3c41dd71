export const MANIFEST: string;
export function bundlePlaces(root: string): readonly string[];
export function findBundle(root: string): string | undefined;
export function listBundles(place: string): readonly string[];
export function hashFiles(folder: string, names: readonly string[]): string;
export function markUsed(folder: string): void;
export function listUnused(place: string, kept: number): readonly string[];
