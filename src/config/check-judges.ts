import { builtInModels } from "./defaults.ts";
import type { Path } from "./mistake.ts";
import { member } from "./raw-values.ts";

interface JudgeMistake {
  readonly path: Path;
  readonly message: string;
}

/** The models that may grade. */
interface Graders {
  readonly names: ReadonlySet<unknown>;
  /** The upstreams that built-in models may be served by; undefined where the file lists models of its own. */
  readonly upstreams: unknown;
}

/** Finds mistakes in the judges of shadow trials: nothing would be learned of answers that nobody grades. */
export function checkJudges(shadow: unknown, graders: Graders): JudgeMistake[] {
  const [judge, second] = [member(shadow, "judge"), member(shadow, "secondJudge")];
  const path = ["learning", "shadow", "judge"];
  const pathOfSecond = ["learning", "shadow", "secondJudge"];
  const isOn = Number(member(shadow, "share") ?? 0) > 0;
  if (judge === undefined && isOn) return [{ path, message: "is missing: a share above 0 needs a judge" }];
  if (judge === undefined && second !== undefined) {
    return [{ path, message: "is missing: a secondJudge needs a first judge" }];
  }
  if (second !== undefined && second === judge) {
    return [{ path: pathOfSecond, message: "is the judge already: name another model, best of another vendor" }];
  }
  return [...checkJudge(judge, path, graders), ...checkJudge(second, pathOfSecond, graders)];
}

function checkJudge(judge: unknown, path: Path, { names, upstreams }: Graders): JudgeMistake[] {
  if (typeof judge !== "string") return [];
  if (!names.has(judge)) return [{ path, message: "is the name of none of the models" }];
  const unserved = upstreams === undefined ? undefined : findUnserved(judge, upstreams);
  return unserved === undefined ? [] : [{ path, message: `is a model that is not served: ${unserved.reason}` }];
}

function findUnserved(name: string, upstreams: unknown) {
  const kinds = Object.keys(upstreams ?? {}).map((key) => [key, { kind: member(member(upstreams, key), "kind") }]);
  return builtInModels(Object.fromEntries(kinds)).unserved.find((model) => model.name === name);
}
