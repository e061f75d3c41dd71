import { readFile, writeFile } from "node:fs/promises";
import { YAMLParseError } from "yaml";
import { ImportError, type Imported } from "../../imports/import-error.ts";
import { argument, type CommandGroup, defineCommand, option } from "../command.ts";
import { fail, print, tell } from "../output.ts";

const HELP = `
Prints the configuration on standard output, and what has no counterpart on standard error, each by its place in the
file. Keys that stand in the file are not carried over: references to variables take their place.`;

const ROWS_HELP = `
ClickHouse writes both files: SELECT * FROM ChatInference FORMAT JSONEachRow. A row has the mean score of each variant for
one datapoint; datapoints without a score of every variant are left out, and counted on standard error.`;

const OUT = {
  out: option("file", "output file; an existing file isn't overwritten"),
};

/** `attune import`. */
export const imports: CommandGroup = {
  commands: {
    litellm: defineCommand({
      summary: "import LiteLLM's proxy configuration: models, deployments, aliases, budgets",
      arguments: { file: argument("its config.yaml") },
      options: {
        modelMap: option(
          "file",
          "LiteLLM's model_prices_and_context_window.json, for windows and prices that the file leaves out",
        ),
        ...OUT,
      },
      help: HELP,
      examples: ["attune import litellm config.yaml --out attune.yaml"],
      async run({ file, modelMap, out }) {
        const map: unknown = modelMap === undefined ? {} : parseJson(modelMap, await read(modelMap));
        const { importLitellm } = await import("../../imports/litellm/import-litellm.ts");
        await importFile(file, out, (text) => importLitellm(text, map));
      },
    }),

    tensorzero: defineCommand({
      summary: "import the configuration of TensorZero's gateway: models and their providers",
      arguments: { file: argument("its tensorzero.toml") },
      options: OUT,
      help: HELP,
      async run({ file, out }) {
        const { importTensorzero } = await import("../../imports/tensorzero/import-tensorzero.ts");
        await importFile(file, out, importTensorzero);
      },
    }),

    "tensorzero-evaluations": defineCommand({
      summary: "convert TensorZero's evaluations into rows for 'npm run bench:replay'",
      arguments: {
        inferences: argument("rows of ChatInference or JsonInference, as JSON lines"),
        feedback: argument("rows of BooleanMetricFeedback or FloatMetricFeedback, as JSON lines"),
      },
      options: {
        function: option("name", "the function, if the file has several"),
        metric: option("name", "the metric, if the file has several"),
        ...OUT,
      },
      help: ROWS_HELP,
      async run({ out, ...values }) {
        const tables = { inferences: await read(values.inferences), feedback: await read(values.feedback) };
        const { importEvaluations } = await import("../../imports/tensorzero/import-evaluations.ts");
        const { rows, notes } = importOrFail(undefined, () => importEvaluations(tables, values));
        if (out === undefined) for (const row of rows) print(row);
        else await write(out, `${rows.join("\n")}\n`);
        for (const note of notes) tell(note);
      },
    }),

    local: defineCommand({
      summary: "create one for the model servers on this host: Ollama, LM Studio, llama.cpp, vLLM, SGLang, TGI",
      options: OUT,
      async run({ out }) {
        const { describeServer, findLocalServers, importLocal } = await import("../../imports/local/import-local.ts");
        const servers = await findLocalServers();
        if (servers.length === 0) fail("no server of models answers on its usual port of this host");
        for (const server of servers) tell(`found ${describeServer(server)}`);
        await show(importLocal(servers), out);
      },
    }),
  },
};

async function importFile(file: string, out: string | undefined, make: (text: string) => Imported): Promise<void> {
  const text = await read(file);
  await show(
    importOrFail(file, () => make(text)),
    out,
  );
}

async function show({ yaml, notes }: Imported, out: string | undefined): Promise<void> {
  if (out === undefined) print(yaml.trimEnd());
  else await write(out, yaml);
  for (const note of notes) tell(`${note.path}: ${note.text}`);
}

function importOrFail<T>(file: string | undefined, make: () => T): T {
  try {
    return make();
  } catch (thrown) {
    if (thrown instanceof ImportError || thrown instanceof YAMLParseError)
      fail(file === undefined ? thrown.message : `${file}: ${thrown.message}`);
    throw thrown;
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail(`${file} isn't JSON`);
  }
}

async function read(file: string): Promise<string> {
  return await readFile(file, "utf8").catch((thrown: Error) => fail(`${file} cannot be read: ${thrown.message}`));
}

async function write(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: "wx" }).catch((thrown: NodeJS.ErrnoException) =>
    fail(thrown.code === "EEXIST" ? `${file} exists already` : `${file} cannot be written: ${thrown.message}`),
  );
}
