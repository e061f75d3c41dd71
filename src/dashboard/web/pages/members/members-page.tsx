import { Title } from "@mantine/core";
import { Name } from "../../parts/name.tsx";
import { Page } from "../../shell/page.tsx";
import { mayAct, useProject, useSession } from "../../shell/session.ts";
import { InvitationsPart } from "./invitations-part.tsx";
import { MembersPart } from "./members-part.tsx";
import { ProjectsPart } from "./projects-part.tsx";

/** The page of members and projects. */
export function MembersPage() {
  const project = useProject();
  const { projects } = useSession();
  const isOwner = mayAct(project, "owner");
  return (
    <Page
      title="Members & projects"
      lead="A viewer looks, a member also makes keys and steers, an owner also manages people and the project."
    >
      <Title order={2} size="h4">
        Members of <Name lines={2}>{project.name}</Name>
      </Title>
      <MembersPart isOwner={isOwner} />
      {isOwner && <InvitationsPart />}
      <Title order={2} size="h4" mt="md">
        Projects
      </Title>
      <ProjectsPart mayCreate={projects.some((own) => mayAct(own, "owner"))} />
    </Page>
  );
}
