import { bedrockPlace, type Cloud, type CloudPlace, vertexPlace } from "../clouds.ts";
import type { SettingsView } from "../settings-view.ts";
import { readCommon, type UpstreamContext } from "./read-upstream.ts";
import { referTo, takeReference, takeSecret } from "./references.ts";

/** The ways of asking that stand before a model of Bedrock. */
const BEDROCK_PREFIX = /^(?:(?:invoke|converse|converse_like)\/)?(?:([a-z]{2}(?:-[a-z]+)+-\d)\/)?/;

/** Reads the place of a model at a cloud; undefined where the cloud serves it in a format of its own. */
export function readCloud(
  cloud: Cloud,
  model: string,
  { params, ...context }: UpstreamContext & { readonly params: SettingsView },
): CloudPlace | undefined {
  const place = cloud === "bedrock" ? readBedrock(model, params, context) : readVertex(model, params, context);
  return place && { ...place, upstream: { ...place.upstream, ...readCommon(params, context) } };
}

function readBedrock(model: string, params: SettingsView, context: UpstreamContext): CloudPlace | undefined {
  const [prefix = "", region] = BEDROCK_PREFIX.exec(model) ?? [];
  const secret = (key: string) => takeSecret(params, key, { wish: key.toUpperCase(), ...context });
  const auth = {
    accessKeyId: secret("aws_access_key_id"),
    secretAccessKey: secret("aws_secret_access_key"),
    sessionToken: secret("aws_session_token"),
  };
  return bedrockPlace(model.slice(prefix.length), {
    region: takeReference(params, "aws_region_name") ?? region ?? referTo("AWS_REGION_NAME"),
    endpoint: takeReference(params, "aws_bedrock_runtime_endpoint") ?? takeReference(params, "api_base"),
    apiKey: takeSecret(params, "api_key", { wish: "AWS_BEARER_TOKEN_BEDROCK", ...context }),
    auth: Object.fromEntries(Object.entries(auth).filter(([, value]) => value !== undefined)),
  });
}

function readVertex(model: string, params: SettingsView, { notes }: UpstreamContext): CloudPlace | undefined {
  const first = (...keys: readonly string[]): string | undefined =>
    keys.map((key) => takeReference(params, key)).find((value) => value !== undefined);
  const credentials = first("vertex_credentials", "vertex_ai_credentials");
  const isText = credentials?.trimStart().startsWith("{") === true;
  if (isText || credentials?.startsWith("${") === true) {
    const text = "put the JSON of the credentials into a file, and its path into GOOGLE_APPLICATION_CREDENTIALS";
    notes.push({ path: params.pathOf("vertex_credentials"), text });
  }
  const isPath = credentials !== undefined && !isText && !credentials.startsWith("${");
  return vertexPlace(model, {
    project: first("vertex_project", "vertex_ai_project") ?? referTo("VERTEXAI_PROJECT"),
    location: first("vertex_location", "vertex_ai_location") ?? referTo("VERTEXAI_LOCATION"),
    ...(isPath && { auth: { credentialsFile: credentials } }),
  });
}
