import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { Link, useLocation } from "react-router";
import { describeShadow } from "../../../../../figures/usage.ts";
import { describeJudge, describeSecondJudge, type JudgeFigures } from "../../../../../vocabulary/judge-figures.ts";
import { mayAct, useProject } from "../../../../web/shell/session.ts";
import type { WorkloadDetails } from "../types.ts";

interface Props {
  readonly shadow: WorkloadDetails["shadow"];
  readonly judge: JudgeFigures | null;
}

/** The shadow trials of the window and their cost, and how far their judge is right; nothing where there are none. */
export function ShadowPart({ shadow, judge }: Props) {
  const mayJudge = mayAct(useProject(), "workloads.judge");
  const { search } = useLocation();
  if (shadow === null && judge === null) return null;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Shadow trials
      </Title>
      <Text fz="sm" c="dimmed" mt={-8} maw={820}>
        Attune also calls other models in the background, and a judge grades their answers. Callers never get them.
      </Text>
      <Text fz="sm">{shadow === null ? "No trials in this period." : `${describeShadow(shadow)}.`}</Text>
      <Text fz="sm">The judge: {describeJudge(judge)}.</Text>
      {judge?.second != null && <Text fz="sm">The second judge: {describeSecondJudge(judge.second)}.</Text>}
      {mayJudge && (
        <Group>
          <Button component={Link} to={{ pathname: "pairs", search }} variant="default" size="xs">
            Compare answers blind
          </Button>
        </Group>
      )}
    </Stack>
  );
}
