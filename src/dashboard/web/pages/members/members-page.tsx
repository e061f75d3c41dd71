import { Title } from "@mantine/core";
import { DeletedProjects } from "../../parts/deleted-projects.tsx";
import { Name } from "../../parts/name.tsx";
import { Page } from "../../shell/page.tsx";
import { mayAct, useProject, useSession } from "../../shell/session.ts";
import { DeleteProject } from "./delete-project.tsx";
import { InvitationsPart } from "./invitations-part.tsx";
import { MembersPart } from "./members-part.tsx";
import { ProjectsPart } from "./projects-part.tsx";
import { ROLE_CHOICES } from "./roles.ts";
import { StorageSetting } from "./storage-setting.tsx";

const LEAD = ROLE_CHOICES.map(({ label, may }) => `${label}: ${may}.`).join(" ");

/** The page of members and projects. */
export function MembersPage() {
  const project = useProject();
  const { projects } = useSession();
  return (
    <Page title="Members & projects" lead={LEAD}>
      <Title order={2} size="h4">
        Members of <Name lines={2}>{project.name}</Name>
      </Title>
      <MembersPart />
      {mayAct(project, "members.change") && <InvitationsPart />}
      <StorageSetting />
      <Title order={2} size="h4" mt="md">
        Projects
      </Title>
      <ProjectsPart mayCreate={projects.some((own) => mayAct(own, "project.change"))} />
      <DeletedProjects />
      {mayAct(project, "project.delete") && !project.isDefault && (
        <>
          <Title order={2} size="h4" mt="md">
            Danger zone
          </Title>
          <DeleteProject />
        </>
      )}
    </Page>
  );
}
