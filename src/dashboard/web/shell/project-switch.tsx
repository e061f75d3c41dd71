import { Button, Menu, Text } from "@mantine/core";
import { IconCheck, IconSelector } from "@tabler/icons-react";
import { useLocation, useNavigate } from "react-router";
import { Name } from "../parts/name.tsx";
import { nameText } from "../parts/name-text.ts";
import { type OwnProject, useSession } from "./session.ts";

/** Shows the current project, and leads to the same page of another one. */
export function ProjectSwitch({ current }: { readonly current: OwnProject | undefined }) {
  const { projects } = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const page = /^\/projects\/[^/]+\/([^/]+)/.exec(pathname)?.[1] ?? "";
  return (
    <Menu width="target" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          fullWidth
          justify="space-between"
          rightSection={<IconSelector size={16} />}
          aria-label={`Project: ${current === undefined ? "none" : nameText(current.name)}`}
        >
          <Text truncate fz="sm" fw={500}>
            {current === undefined ? "Choose a project" : nameText(current.name)}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Projects</Menu.Label>
        {projects.map((project) => (
          <Menu.Item
            key={project.id}
            onClick={() => void navigate(`/projects/${project.id}/${page}`)}
            rightSection={project.id === current?.id ? <IconCheck size={16} /> : undefined}
          >
            <Name>{project.name}</Name>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
