import { bedrockPlace, type Cloud, type CloudPlace, vertexPlace } from "../clouds.ts";
import type { ImportNote } from "../imported.ts";
import type { SettingsView } from "../settings-view.ts";

/**
 * Reads the place of a model at a cloud; undefined where the cloud serves it in a format of its own. Where the file
 * says who calls in a way that has no counterpart, a note says what to do.
 */
export function readCloud(cloud: Cloud, view: SettingsView, notes: ImportNote[]): CloudPlace | undefined {
  const model = view.text("model_id") ?? view.text("model_name") ?? "";
  if (cloud === "bedrock")
    return bedrockPlace(model, {
      region: readName(view, "region", { variable: "AWS_REGION", notes }),
      endpoint: view.text("endpoint_url"),
    });
  const credentials = view.text("credential_location") ?? "sdk";
  const path = /^path::(.+)$/.exec(credentials)?.[1];
  if (path === undefined && credentials !== "sdk") {
    const text = "set GOOGLE_APPLICATION_CREDENTIALS to the path of the credentials";
    notes.push({ path: view.pathOf("credential_location"), text });
  }
  return vertexPlace(model, {
    project: readName(view, "project_id", { variable: "GOOGLE_CLOUD_PROJECT", notes }),
    location: readName(view, "location", { variable: "GOOGLE_CLOUD_LOCATION", notes }),
    ...(path !== undefined && { auth: { credentialsFile: path } }),
  });
}

/** Reads the name of a region or project, or refers to the variable that has it. */
function readName(
  view: SettingsView,
  key: string,
  { variable, notes }: { readonly variable: string; readonly notes: ImportNote[] },
): string {
  const given = view.text(key) ?? "sdk";
  const named = /^env::([A-Za-z_][A-Za-z0-9_]*)$/.exec(given)?.[1];
  if (given !== "sdk" && !given.includes("::")) return given;
  if (given.includes("::") && named === undefined)
    notes.push({ path: view.pathOf(key), text: `requests cannot say it: set the variable ${variable}` });
  return `\${${named ?? variable}}`;
}
