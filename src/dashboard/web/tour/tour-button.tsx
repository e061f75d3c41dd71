import { ActionIcon, Tooltip } from "@mantine/core";
import { IconCompass } from "@tabler/icons-react";
import type { OwnProject } from "../shell/session.ts";
import { useTourState } from "./tour-state.ts";
import { mayTour } from "./use-tour.ts";

interface Props {
  readonly project: OwnProject | undefined;
  /** Called when the tour is shown: a drawer closes then. */
  readonly onFollow: () => void;
}

/** Resumes the tour that was left, or begins one in this project. */
export function TourButton({ project, onFollow }: Props) {
  const [state, setState] = useTourState();
  if (project === undefined || !mayTour(project)) return null;
  const isResumed = state.status === "left" && state.projectId === project.id;
  const label = isResumed ? "Resume the tour" : "Start the tour";
  const start = () => {
    setState((old) => ({
      status: "open",
      projectId: project.id,
      seen: isResumed ? old.seen : { request: false, evidence: false },
    }));
    onFollow();
  };
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={start}>
        <IconCompass size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
