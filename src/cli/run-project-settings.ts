import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  BodyPolicy,
  BodyPolicySchema,
  type Project,
  type ProjectSettingsSchema,
} from "../../gen/attune/admin/v1/project_pb.ts";
import { protoName } from "../administration/update-mask.ts";
import { enumWord } from "../lib/protobuf/enum-word.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import { type AdminClient, type RemoteOptions, withAdmin } from "./admin-client.ts";
import type { JsonOptions } from "./json-option.ts";
import { fail, print, printJson } from "./output.ts";

/** The options of commands on a project; the default one where none is named. */
export interface ProjectOptions extends RemoteOptions {
  readonly project?: string;
}

/** A change of a project's settings; what is absent stays. */
export interface SettingsArguments extends RemoteOptions, JsonOptions {
  readonly bodies?: string;
  /** Names for models by their aliases; an empty one takes the alias away. */
  readonly alias?: Readonly<Record<string, string>>;
}

type Settings = MessageInitShape<typeof ProjectSettingsSchema>;

/** Works on a project; ends the command where there is none of its name. */
export async function withProject(
  { project: asked = DEFAULT_PROJECT.id, ...options }: ProjectOptions,
  work: (admin: AdminClient, project: Project) => Promise<void>,
): Promise<void> {
  await withAdmin(options, { project: asked }, async (admin) => {
    const { project } = await admin.getProject({ project: asked });
    await work(admin, project ?? fail(`there is no project '${asked}'`));
  });
}

/** Sets some settings of a project, unless somebody changed it since it was read. */
export async function setSettings(admin: AdminClient, { id, etag }: Project, settings: Settings): Promise<Project> {
  const paths = Object.keys(settings).map((name) => `settings.${protoName(name)}`);
  const { project } = await admin.updateProject({ project: id, etag, update: { settings }, updateMask: { paths } });
  return project ?? fail("the service answered nothing");
}

/** Prints the settings of a project, after it has set those that are given. */
export async function runProjectSettings(project: string, options: SettingsArguments): Promise<void> {
  const { bodies, alias = {}, json, ...remote } = options;
  await withProject({ project, ...remote }, async (admin, before) => {
    const isChange = bodies !== undefined || Object.keys(alias).length > 0;
    const after = isChange ? await setSettings(admin, before, changeOf(before, bodies, alias)) : before;
    const { settings } = after;
    if (json) return printJson(toJsonSettings(after));
    print(`project ${after.name}`);
    print(`bodies: ${wordOf(settings?.bodies ?? BodyPolicy.UNSPECIFIED)}`);
    print(`optimizations switched off: ${settings?.disabledOptimizations.join(", ") || "none"}`);
    const aliases = Object.entries(settings?.aliases ?? {}).map(([name, model]) => `${name}=${model}`);
    print(`aliases: ${aliases.join(", ") || "none"}`);
  });
}

function toJsonSettings({ id: projectId, name, settings }: Project) {
  const { disabledOptimizations = [], aliases = {}, bodies = BodyPolicy.UNSPECIFIED } = settings ?? {};
  return { projectId, name, bodies: wordOf(bodies), disabledOptimizations, aliases };
}

function changeOf(
  { settings }: Project,
  bodies: string | undefined,
  given: Readonly<Record<string, string>>,
): Settings {
  const aliases = Object.entries({ ...settings?.aliases, ...given }).filter(([, model]) => model !== "");
  return {
    ...(bodies !== undefined && { bodies: policyOf(bodies) }),
    ...(Object.keys(given).length > 0 && { aliases: Object.fromEntries(aliases) }),
  };
}

function wordOf(bodies: BodyPolicy): string {
  return enumWord(BodyPolicySchema, BodyPolicySchema.value[bodies]?.name ?? "") ?? "full";
}

function policyOf(word: string): BodyPolicy {
  const policies = [BodyPolicy.FULL, BodyPolicy.REDACTED, BodyPolicy.NONE];
  return policies.find((policy) => wordOf(policy) === word) ?? BodyPolicy.UNSPECIFIED;
}
