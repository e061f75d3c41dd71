import { ImportError } from "../import-error.ts";

/** Rows of `npm run bench:replay`, made of evaluations. */
interface ImportedRows {
  /** JSON, one text a row. */
  readonly rows: readonly string[];
  /** The rows that were left out, in words. */
  readonly notes: readonly string[];
}

/** Rows of TensorZero's tables, a JSON object a line, as ClickHouse writes them by `FORMAT JSONEachRow`. */
interface Tables {
  /** Of `ChatInference` or `JsonInference`. */
  readonly inferences: string;
  /** Of `BooleanMetricFeedback` or `FloatMetricFeedback`. */
  readonly feedback: string;
}

interface Choice {
  /** Needed where the inferences are of several functions. */
  readonly function?: string | undefined;
  /** Needed where the feedback is of several metrics. */
  readonly metric?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

interface Inference {
  readonly functionName: string;
  readonly variant: string;
  readonly datapoint: string;
  readonly prompt: string;
}

interface Scored extends Inference {
  readonly score: number;
}

/** The tag that TensorZero's evaluations give an inference. */
const DATAPOINT = "tensorzero::datapoint_id";

/**
 * Makes rows of what evaluations have found: a row for each datapoint, with the mean score of each variant. Datapoints
 * that some variant has no score for are left out, since a replay compares all on the same prompts.
 */
export function importEvaluations({ inferences, feedback }: Tables, choice: Choice = {}): ImportedRows {
  const evaluated = getEvaluated(parseLines(inferences, "inferences"));
  const functionName = choose(
    [...evaluated.values()].map((one) => one.functionName),
    choice.function,
    "--function",
  );
  const entries = parseLines(feedback, "feedback").filter(({ target_id: id }) => {
    return evaluated.get(String(id))?.functionName === functionName;
  });
  const metric = choose(
    entries.map(({ metric_name: name }) => String(name)),
    choice.metric,
    "--metric",
  );
  const notes: string[] = [];
  const values = getLatest(entries.filter(({ metric_name: name }) => name === metric));
  const scored = values.flatMap(({ target_id: id, value }) => {
    const [one, score] = [evaluated.get(String(id)), getScore(value)];
    return one === undefined || score === undefined ? [] : [{ ...one, score }];
  });
  const outside = values.length - scored.length;
  if (outside > 0) notes.push(`${outside} values of ${metric} are not from 0 to 1, and left out`);
  return { rows: getRows(scored, notes), notes };
}

/** Of several values for one inference the latest counts, as at TensorZero; ids tell the time. */
function getLatest(values: readonly Fields[]): readonly Fields[] {
  const latest = new Map<string, Fields>();
  for (const value of values) {
    const before = latest.get(String(value["target_id"]));
    if (before === undefined || String(before["id"]) <= String(value["id"])) {
      latest.set(String(value["target_id"]), value);
    }
  }
  return [...latest.values()];
}

function getScore(value: unknown): number | undefined {
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "number" && value >= 0 && value <= 1 ? value : undefined;
}

function getRows(scored: readonly Scored[], notes: string[]): string[] {
  const variants = [...new Set(scored.map(({ variant }) => variant))].sort();
  const datapoints = Map.groupBy(scored, ({ datapoint }) => datapoint);
  const rows = [...datapoints].flatMap(([datapoint, answers]) => {
    const means = variants.map((variant) => mean(answers.filter((answer) => answer.variant === variant)));
    const [first] = answers;
    if (first === undefined || means.includes(undefined)) return [];
    const row = { dataset: first.functionName, prompt_id: datapoint, prompt: first.prompt };
    return [
      JSON.stringify({ ...row, scores: Object.fromEntries(variants.map((variant, at) => [variant, means[at]])) }),
    ];
  });
  if (rows.length === 0) {
    throw new ImportError(`no datapoint has a score of every variant (${variants.join(", ") || "there are none"})`);
  }
  const left = datapoints.size - rows.length;
  if (left > 0) notes.push(`${left} datapoints lack a score of ${variants.join(", ")}, and are left out`);
  return rows;
}

function mean(answers: readonly Scored[]): number | undefined {
  if (answers.length === 0) return undefined;
  return answers.reduce((sum, { score }) => sum + score, 0) / answers.length;
}

/** Returns the inferences of evaluations by their ids. */
function getEvaluated(lines: readonly Fields[]): ReadonlyMap<string, Inference> {
  const found = new Map<string, Inference>();
  for (const { id, function_name: functionName, variant_name: variant, input, tags } of lines) {
    const datapoint = isRecord(tags) ? tags[DATAPOINT] : undefined;
    if (typeof datapoint !== "string" || datapoint === "") continue;
    const prompt = typeof input === "string" ? input : JSON.stringify(input ?? "");
    found.set(String(id), { functionName: String(functionName), variant: String(variant), datapoint, prompt });
  }
  if (found.size === 0) throw new ImportError(`no inference is of an evaluation: none has the tag ${DATAPOINT}`);
  return found;
}

function choose(names: readonly string[], wanted: string | undefined, option: string): string {
  const known = [...new Set(names)].sort();
  const [only, ...others] = wanted === undefined ? known : known.filter((name) => name === wanted);
  const all = known.slice(0, 20).join(", ") || "nothing";
  if (only === undefined) throw new ImportError(`${option} ${wanted ?? ""} is in no row that fits; there is ${all}`);
  if (others.length > 0) throw new ImportError(`choose one with ${option}: ${all}`);
  return only;
}

function parseLines(text: string, table: string): Fields[] {
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const fields = parseLine(line);
    if (!isRecord(fields)) throw new ImportError(`line ${at + 1} of the ${table} isn't a JSON object`);
    return [fields];
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
