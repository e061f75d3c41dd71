import { readFileSync } from "node:fs";

/**
 * Reads how much better than base models are believed to be. Throws an error that names the file and what is wrong with
 * it.
 */
export function readPriors(file: string, models: readonly string[]): Record<string, number> {
  let priors: unknown;
  try {
    priors = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof priors !== "object" || priors === null || Array.isArray(priors)) {
    throw new Error(`${file}: must be a JSON object of models and numbers`);
  }
  for (const [model, advantage] of Object.entries(priors)) {
    if (!models.includes(model)) throw new Error(`${file}: there is no model ${model}: there are ${models.join(", ")}`);
    if (typeof advantage !== "number" || Math.abs(advantage) > 1) {
      throw new Error(`${file}: ${model} must be a number from -1 to 1`);
    }
  }
  return priors as Record<string, number>;
}
