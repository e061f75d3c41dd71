import { Text, Title } from "@mantine/core";
import { DeletedProjects } from "../../../web/parts/deleted-projects.tsx";
import { Name } from "../../../web/parts/name.tsx";
import { Page } from "../../../web/shell/page.tsx";
import { mayAct, useProject, useSession } from "../../../web/shell/session.ts";
import { DeleteProject } from "./delete-project.tsx";
import { InvitationsPart } from "./invitations-part.tsx";
import { MembersPart } from "./members-part.tsx";
import { ProjectsPart } from "./projects-part.tsx";
import { ROLE_CHOICES } from "./roles.ts";

const ROLES = ROLE_CHOICES.map(({ label, may }) => `${label}: ${may}.`).join(" ");

/** The page of members and projects. */
export function MembersPage() {
  const project = useProject();
  const { projects } = useSession();
  return (
    <Page title="Members & projects" lead="Members and their roles in this project, and your other projects.">
      <Title order={2} size="h4">
        Members of <Name lines={2}>{project.name}</Name>
      </Title>
      <MembersPart />
      <Text fz="xs" c="dimmed" mt="calc(var(--mantine-spacing-xs) * -1)">
        {ROLES}
      </Text>
      {mayAct(project, "members.change") && <InvitationsPart />}
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
