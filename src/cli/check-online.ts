import type { Config, HttpUpstreamConfig, UpstreamConfig } from "../config/config.ts";
import { createOidcProvider } from "../dashboard/features/sign-in/oidc-provider.ts";
import { toProviderError } from "../dashboard/features/sign-in/provider-error.ts";
import { describeDatabaseUrl } from "../store/database/database-url.ts";
import { inspectDatabase } from "../store/database/inspect.ts";
import { askModels, type ModelsAnswer } from "../upstream/ask-models.ts";
import { createUpstreams } from "../upstream/registry.ts";
import type { ProviderSettings } from "../vocabulary/sign-in-settings.ts";
import { tryNeeded, tryRequests } from "./try-requests.ts";

/** Clocks that differ by more are told of. */
const MOST_SKEW_MS = 5000;

/** Asks the database and every upstream; tells each finding. Returns whether the service can work with all of them. */
export async function checkOnline(config: Config, tell: (line: string) => void): Promise<boolean> {
  const findings = await Promise.all([
    checkDatabase(config.database.url),
    ...Object.entries(config.upstreams).map(([name, upstream]) => checkUpstream(name, upstream, config)),
    ...Object.entries(config.dashboard.signIn.providers).map(([name, provider]) => checkProvider(name, provider)),
  ]);
  for (const { line } of findings.flat()) tell(line);
  return findings.flat().every(({ isWell }) => isWell);
}

interface Finding {
  readonly line: string;
  readonly isWell: boolean;
}

async function checkDatabase(url: string): Promise<Finding[]> {
  const where = `database ${describeDatabaseUrl(url)}`;
  const state = await inspectDatabase(url);
  if (state.kind === "unusable") return [{ line: `${where}: ${state.message}`, isWell: false }];
  if (state.kind === "absent")
    return [{ line: `${where}: doesn't exist yet; the first start creates it`, isWell: true }];
  return [{ line: `${where}: answers`, isWell: true }, ...compareClocks(where, state.nowMs)];
}

async function checkUpstream(name: string, upstream: UpstreamConfig, { models }: Config): Promise<Finding[]> {
  if (upstream.kind === "sandbox") return [];
  const upstreamModels = models.flatMap(({ deployments }) =>
    deployments.filter((deployment) => deployment.upstream === name).map(({ model }) => model),
  );
  const where = `upstream ${name}`;
  const { apiKeys } = upstream;
  const ways =
    apiKeys === undefined
      ? [{ told: where, by: upstream }]
      : apiKeys.map((apiKey, at) => ({ told: `${where}, apiKeys[${at}]`, by: { ...upstream, apiKey } }));
  const findings = ways.map(async ({ told, by }) => {
    const answer = await askModels(by, [...new Set(upstreamModels)]);
    return { answer, finding: { line: `${told}: ${describe(answer, by)}`, isWell: isWell(answer) } };
  });
  const found = await Promise.all(findings);
  const atMs = found.map(({ answer }) => (answer.kind === "listed" ? answer.atMs : undefined)).find((ms) => ms);
  const asks = found.some(({ finding }) => finding.isWell);
  const unlisted = found.flatMap(({ answer }) => (answer.kind === "listed" ? answer.unknown : []));
  return [
    ...found.map(({ finding }) => finding),
    ...compareClocks(where, atMs),
    ...(asks ? await tryUpstream(name, upstream, { models, unlisted }) : []),
  ];
}

/** Models to ask an upstream for: those that its list lacks may be served all the same. */
interface ModelsToTry {
  readonly models: Config["models"];
  readonly unlisted: readonly string[];
}

/** Asks the first model of an upstream that answers, the first that makes embeddings, and each that its list lacks. */
async function tryUpstream(
  name: string,
  config: HttpUpstreamConfig,
  { models, unlisted }: ModelsToTry,
): Promise<Finding[]> {
  const upstream = createUpstreams({ [name]: config }).get(name);
  if (upstream === undefined) return [];
  try {
    const findings: Finding[] = [];
    for (const isEmbedding of [false, true]) {
      const served = models
        .filter(({ embeddings = false }) => embeddings === isEmbedding)
        .flatMap((model) => model.deployments.map((deployment) => ({ model, deployment })))
        .filter(({ deployment }) => deployment.upstream === name);
      for (const [index, { model, deployment }] of served.entries()) {
        if (index > 0 && !unlisted.includes(deployment.model)) continue;
        const tried = await (index === 0 ? tryRequests : tryNeeded)(upstream, model, deployment);
        for (const { text, isWell } of tried) {
          findings.push({ line: `upstream ${name}, ${deployment.model}: ${text}`, isWell });
        }
      }
    }
    return findings;
  } finally {
    await upstream.close?.();
  }
}

async function checkProvider(name: string, settings: ProviderSettings): Promise<Finding[]> {
  const where = `sign-in provider ${name}`;
  try {
    await createOidcProvider(settings).discover();
    return [{ line: `${where}: answers`, isWell: true }];
  } catch (thrown) {
    const { kind, code } = toProviderError(thrown);
    const problem = kind === "unavailable" ? "cannot be reached" : "reports another issuer than 'issuer'";
    return [{ line: `${where}: ${problem} at ${settings.issuer} (${code})`, isWell: false }];
  }
}

function isWell(answer: ModelsAnswer): boolean {
  return answer.kind === "no list" || answer.kind === "listed";
}

/** The least permission to call models, by the kind of credentials. */
const PERMISSIONS = {
  aws: "the permissions bedrock:InvokeModel and bedrock:InvokeModelWithResponseStream on the model",
  google: "the permission aiplatform.endpoints.predict (the role Vertex AI User) in the project",
  azure: "the role Cognitive Services OpenAI User on the resource",
} as const;

function describe(answer: ModelsAnswer, { apiKey, missingKey, baseUrl, auth }: HttpUpstreamConfig): string {
  switch (answer.kind) {
    case "listed":
      if (answer.unknown.length === 0) return "answers, and has the models";
      return `answers, and doesn't list ${quoted(answer.unknown)}: change 'model' of its deployments if a text fails below`;
    case "no list":
      return `answers, and has no list of models at ${answer.url} (status ${answer.status}): they are not checked`;
    case "no credentials":
      return answer.message;
    case "refused":
      if (auth !== undefined && auth.type !== "header") {
        return `refuses the credentials (status ${answer.status}): they need ${PERMISSIONS[auth.type]}`;
      }
      if (missingKey !== undefined) return `asks for a key (status ${answer.status}): ${missingKey} is not set`;
      if (apiKey === undefined) return `asks for a key (status ${answer.status}), and apiKey is absent`;
      return `refuses the key (status ${answer.status})`;
    case "unreachable":
      return `cannot be reached at ${baseUrl} (${answer.code})`;
  }
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(", ");
}

/** Prices, retention and signed tokens go by the clock. */
function compareClocks(where: string, atMs: number | undefined): Finding[] {
  const skewMs = atMs === undefined ? 0 : Math.abs(Date.now() - atMs);
  if (skewMs <= MOST_SKEW_MS) return [];
  const line = `${where}: its clock and this machine's differ by ${Math.round(skewMs / 1000)} s: set one of them right`;
  return [{ line, isWell: true }];
}
