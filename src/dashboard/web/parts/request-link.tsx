import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { historyPage } from "../pages/history/index.ts";
import { pagePath } from "../shell/paths.ts";
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
    <Anchor component={Link} to={`${pagePath(historyPage, project.id)}/${id}`} fz="sm">
      {children}
    </Anchor>
  );
}
