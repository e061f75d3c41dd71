import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Project, ProjectSettingsSchema } from "../../gen/attune/admin/v1/project_pb.ts";
import { protoName } from "../operations/update-mask.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import { type AdminClient, type ServiceOptions, withAdmin } from "./admin-client.ts";
import { fail } from "./output.ts";

/** The options of commands on a project; the default one where none is named. */
interface ProjectOptions extends ServiceOptions {
  readonly project: string | undefined;
}

/** Works on a project; ends the command where there is none of its name. */
export async function withProject(
  { project: projectName = DEFAULT_PROJECT.id, ...options }: ProjectOptions,
  work: (admin: AdminClient, project: Project) => Promise<void>,
): Promise<void> {
  await withAdmin(options, { project: projectName }, async (admin) => {
    const { project } = await admin.getProject({ project: projectName });
    await work(admin, project ?? fail(`there is no project '${projectName}'`));
  });
}

/** Changes some settings of a project, unless somebody changed it since it was read. */
export async function changeSettings(
  admin: AdminClient,
  { id, etag }: Project,
  settings: MessageInitShape<typeof ProjectSettingsSchema>,
): Promise<Project> {
  const paths = Object.keys(settings).map((name) => `settings.${protoName(name)}`);
  const { project } = await admin.updateProject({ project: id, etag, update: { settings }, updateMask: { paths } });
  return project ?? fail("the service answered nothing");
}
