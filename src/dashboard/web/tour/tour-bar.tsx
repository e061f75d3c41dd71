import { Box, Button, Group, Text } from "@mantine/core";
import { Link, useMatch } from "react-router";
import { snippetsFor } from "../../features/keys/web/snippets.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { VerdictButtons } from "../parts/verdict-buttons.tsx";
import { type OwnProject, useSession } from "../shell/session.ts";
import { useOrigin } from "../shell/use-origin.ts";
import type { TourStep } from "./tour-steps.ts";
import { type Tour, useTour } from "./use-tour.ts";

interface Props {
  readonly project: OwnProject;
}

/** The tour above every page: the step that comes next. Before the first call, Overview has all steps itself. */
export function TourBar({ project }: Props) {
  const tour = useTour(project);
  const isOverview = useMatch("/projects/:projectId/overview") !== null;
  if (tour === undefined || (isOverview && tour.latestId === null)) return null;
  const { steps, current, latestId, finish } = tour;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Box component="section" aria-label="First steps" className="attune-card attune-tour">
      <Box flex="1 1 20rem" role="status">
        <Text fz="xs" c="dimmed" fw={500}>
          First steps: {done} of {steps.length} done
        </Text>
        <Text fw={600}>{current?.title ?? "That was the tour"}</Text>
        <Text fz="sm" c="dimmed">
          {current?.text ?? "Send feedback from your program, and the better model answers by itself."}
        </Text>
      </Box>
      <Group gap="xs">
        {current !== undefined && <Action step={current} />}
        {current?.name === "feedback" && latestId !== null && (
          <VerdictButtons place={{ projectId: project.id, answerId: latestId }} source="dashboard" of="latest call" />
        )}
        {current === undefined ? <Button onClick={() => goOn(finish)}>Finish</Button> : <LeaveButton tour={tour} />}
      </Group>
      <Progress steps={steps} current={current} />
    </Box>
  );
}

function Action({ step: { name, link } }: { readonly step: TourStep }) {
  const { exampleModel } = useSession();
  const [curl] = snippetsFor({ origin: useOrigin(), key: "$ATTUNE_KEY", model: exampleModel });
  return (
    <>
      {link !== null && (
        <Button component={Link} to={link.to} size="sm">
          {link.label}
        </Button>
      )}
      {name === "call" && <CopyButton text={curl?.code ?? ""} what="a curl call" />}
    </>
  );
}

/** Hides the tour. */
export function LeaveButton({ tour }: { readonly tour: Tour }) {
  return (
    <Button variant="subtle" color="gray" size="sm" onClick={() => goOn(tour.leave)}>
      Leave the tour
    </Button>
  );
}

/** Ends what is shown; the focus goes on to the page below, since the button is gone. */
function goOn(end: () => void): void {
  end();
  document.getElementById("content")?.focus();
}

function Progress({ steps, current }: Pick<Tour, "steps" | "current">) {
  return (
    <div className="attune-tour-progress" aria-hidden>
      {steps.map(({ name, isDone }) => (
        <span key={name} data-done={isDone || undefined} data-current={name === current?.name || undefined} />
      ))}
    </div>
  );
}
