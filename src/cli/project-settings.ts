import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Project, ProjectSettingsSchema } from "../../gen/attune/admin/v1/project_pb.ts";
import { toSnakeCase } from "../lib/letter-case.ts";
import type { AdminClient } from "./admin-client.ts";
import { fail } from "./output.ts";

/** Reads a project by its id or name. */
export async function readProject(admin: AdminClient, idOrName: string): Promise<Project> {
  const { project } = await admin.getProject({ project: idOrName });
  return project ?? fail("the service answered nothing");
}

/** Changes some settings of a project, unless somebody changed it since it was read. */
export async function changeSettings(
  admin: AdminClient,
  { id, etag }: Project,
  settings: MessageInitShape<typeof ProjectSettingsSchema>,
): Promise<Project> {
  const paths = Object.keys(settings).map((name) => `settings.${toSnakeCase(name)}`);
  const { project } = await admin.updateProject({ project: id, etag, update: { settings }, updateMask: { paths } });
  return project ?? fail("the service answered nothing");
}
