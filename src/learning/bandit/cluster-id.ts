/** Begins a family that is known by what its requests have in common. */
export const AUTO = "auto:";

/** A part of a family: the prompts of one cluster. */
export interface FamilyPart {
  /** Name of the family. */
  readonly whole: string;
  /** The family's clustering that it belongs to; later ones have greater numbers. */
  readonly generation: number;
  /** Number of the cluster, from 0. */
  readonly cluster: number;
}

/** Names a part. Callers cannot name one: their own names begin otherwise. */
export function clusterId({ whole, generation, cluster }: FamilyPart): string {
  return `${whole}#${generation}.${cluster}`;
}

const PART = /^(auto:[^#]+)#([1-9]\d{0,11})\.(\d{1,3})$/;

/** Reads the name of a part; undefined for that of a family. */
export function readPart(family: string): FamilyPart | undefined {
  const [, whole, generation, cluster] = (family.startsWith(AUTO) && PART.exec(family)) || [];
  if (whole === undefined) return undefined;
  return { whole, generation: Number(generation), cluster: Number(cluster) };
}

/** Returns the name of the family that something is a part of, or its own. */
export function wholeFamily(family: string): string {
  return readPart(family)?.whole ?? family;
}
