import { Button } from "@mantine/core";
import { IconCompass, IconUsers } from "@tabler/icons-react";
import { Link } from "react-router";
import { DeletedProjects } from "../parts/deleted-projects.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Page } from "./page.tsx";

/** An address that leads nowhere. */
export function NotFound() {
  return (
    <Page title="Nothing here">
      <EmptyState
        Icon={IconCompass}
        title="Page not found"
        text="It doesn't exist, was deleted, or belongs to a project that you aren't a member of."
        action={
          <Button component={Link} to="/">
            Go to the start page
          </Button>
        }
      />
    </Page>
  );
}

/** The page of somebody who is a member of no project. */
export function NoProject() {
  return (
    <Page title="No project">
      <EmptyState
        Icon={IconUsers}
        title="You aren't a member of any project"
        text="Ask a project owner for an invitation link."
      />
      <DeletedProjects />
    </Page>
  );
}
