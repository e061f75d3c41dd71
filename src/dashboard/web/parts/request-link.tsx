import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useProject } from "../shell/session.ts";

interface Props {
  /** Id of the inference. */
  readonly id: string;
  readonly children: ReactNode;
}

/** Leads to a request in the history. */
export function RequestLink({ id, children }: Props) {
  const project = useProject();
  return (
    <Anchor component={Link} to={`/projects/${project.id}/history/${id}`} fz="sm">
      {children}
    </Anchor>
  );
}
