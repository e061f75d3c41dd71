/** The most answers that an arm asks for. */
export const MOST_ANSWERS = 4;

/**
 * Arms that ask for several answers to a request and give the best of them. Each stands for a list of models: for every
 * answer, the place of its model among those that are worth the most in the family of the request. The commas keep them
 * apart from names of models.
 */
const SEVERAL: ReadonlyMap<string, readonly number[]> = new Map([
  ["best,best", [0, 0]],
  ["best,second", [0, 1]],
  ["best,second,third", [0, 1, 2]],
  ["best,second,third,fourth", [0, 1, 2, 3]],
]);

/**
 * Names the arms of several answers that are worth trying where so many may be asked for: both of two, and one of the
 * most.
 */
export function armsOfSeveral(most: number): readonly string[] {
  return [...SEVERAL].flatMap(([name, { length }]) =>
    length <= most && (length === 2 || length === most) ? [name] : [],
  );
}

/**
 * Returns which models an arm asks, by their places among the best of the family; undefined for one that is a model
 * itself.
 */
export function parsePlaces(arm: string): readonly number[] | undefined {
  return SEVERAL.get(arm);
}

/**
 * Returns what names the arms of several answers of a workload, by its base: as many as the model's configuration
 * allows.
 */
export function createArmNames(
  models: readonly {
    readonly name: string;
    readonly candidates?: { readonly max: number; readonly learned?: string | undefined } | undefined;
  }[],
): (model: string) => readonly string[] {
  const allowed = new Map(
    models.flatMap(({ name, candidates }) =>
      candidates === undefined || (candidates.learned ?? "off") === "off"
        ? []
        : [[name, armsOfSeveral(candidates.max)]],
    ),
  );
  return (model) => allowed.get(model) ?? [];
}
