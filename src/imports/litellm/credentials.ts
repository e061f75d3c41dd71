import { isSettings } from "../settings-view.ts";

/**
 * Puts the values of `credential_list` into the entries that name them by `litellm_credential_name`. What an entry says
 * itself goes before. Credentials that no entry names stay in the list.
 */
export function mergeCredentials(file: unknown): unknown {
  if (!isSettings(file) || !Array.isArray(file["credential_list"]) || !Array.isArray(file["model_list"])) return file;
  const used = new Set<unknown>();
  const credentials = new Map(
    file["credential_list"].filter(isSettings).map((item) => [item["credential_name"], item]),
  );
  const entries = file["model_list"].map((entry: unknown) => {
    const params = isSettings(entry) ? entry["litellm_params"] : undefined;
    if (!isSettings(entry) || !isSettings(params)) return entry;
    const { litellm_credential_name: name, ...own } = params;
    const values = credentials.get(name)?.["credential_values"];
    if (!isSettings(values)) return entry;
    used.add(name);
    return { ...entry, litellm_params: { ...values, ...own } };
  });
  const unused = file["credential_list"].filter((item) => !isSettings(item) || !used.has(item["credential_name"]));
  const { credential_list: _, ...others } = file;
  return { ...others, model_list: entries, ...(unused.length > 0 && { credential_list: unused }) };
}
