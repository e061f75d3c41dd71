/** The dimensions that tell failed calls apart, in the order of the columns. */
export const DIMENSIONS = [
  { value: "reason", label: "Reason" },
  { value: "upstream", label: "Upstream" },
  { value: "model", label: "Model" },
  { value: "key", label: "Key" },
  { value: "user", label: "End user" },
] as const;

/** One of them. */
export type Dimension = (typeof DIMENSIONS)[number]["value"];

/** End users are left out at first: with them only the latest calls are grouped. */
export const DEFAULT: readonly Dimension[] = ["reason", "upstream", "model", "key"];

/** Reads the dimensions of an address; what it cannot read, it takes as the default. */
export function readDimensions(text: string | null): readonly Dimension[] {
  const names = text?.split(",") ?? [];
  const dimensions = DIMENSIONS.flatMap(({ value }) => (names.includes(value) ? [value] : []));
  return dimensions.length === 0 ? DEFAULT : dimensions;
}
