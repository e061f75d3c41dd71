import { InvalidArgumentError } from "commander";

/** Reads how many entries a command shows at most. Throws InvalidArgumentError. */
export function readLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new InvalidArgumentError("must be a whole number from 1 to 10000");
}
