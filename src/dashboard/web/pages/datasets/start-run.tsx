import { Button, Modal, NumberInput, Select, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { formatNumber, formatShortCost } from "../../parts/format.ts";
import { nameText } from "../../parts/name-text.ts";
import { useProject } from "../../shell/session.ts";
import { useRuns } from "./use-runs.ts";

const MOST_REQUESTS = 1000;
const USUAL_REQUESTS = 100;

type Estimate = Awaited<ReturnType<typeof api.datasetRuns.estimate.query>>;

/** Asks which two models a dataset is run against, shows what that costs, and starts it. */
export function StartRun({ datasetId }: { readonly datasetId: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button onClick={open} leftSection={<IconPlayerPlay size={16} aria-hidden />}>
        Run
      </Button>
      <Modal opened={isOpen} onClose={close} title="Run against two models">
        <RunForm datasetId={datasetId} onClose={close} />
      </Modal>
    </>
  );
}

function RunForm({ datasetId, onClose }: { readonly datasetId: string; readonly onClose: () => void }) {
  const { id: projectId } = useProject();
  const runs = useRuns(datasetId);
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<readonly [string, string]>(["", ""]);
  const [most, setMost] = useState(USUAL_REQUESTS);
  const names = runs.data?.models ?? [];
  const models: [string, string] = [chosen[0] || (names[0] ?? ""), chosen[1] || (names[1] ?? "")];
  const isComplete = models[0] !== "" && models[1] !== "" && models[0] !== models[1];
  const asked = { projectId, id: datasetId, models, most };
  const estimate = useQuery({
    queryKey: ["dataset-run-estimate", asked],
    queryFn: () => api.datasetRuns.estimate.query(asked),
    enabled: isComplete,
  });
  const start = useMutation({
    mutationFn: (confirmedNanos: number | null) => api.datasetRuns.start.mutate({ ...asked, confirmedNanos }),
    onSuccess: ({ id }) => navigate(`runs/${id}`),
  });
  const cost = estimate.data;
  return (
    <DialogForm
      action={cost?.nanos == null ? "Run" : `Run for about ${formatShortCost(cost.nanos)}`}
      onSubmit={() => cost !== undefined && start.mutate(cost.nanos)}
      onCancel={onClose}
      isPending={start.isPending}
      isDisabled={!isComplete || cost === undefined || cost.requests === 0}
      error={runs.error ?? estimate.error ?? start.error}
    >
      {(["First model", "Second model"] as const).map((label, side) => (
        <Select
          key={label}
          label={label}
          data={names.map((name) => ({ value: name, label: nameText(name) }))}
          value={models[side] ?? ""}
          onChange={(name) => name !== null && setChosen(side === 0 ? [name, models[1]] : [models[0], name])}
          allowDeselect={false}
          searchable
          nothingFoundMessage="No model of this name"
        />
      ))}
      <NumberInput
        label="Requests at most"
        description="The newest whose texts are stored"
        value={most}
        onChange={(value) => typeof value === "number" && setMost(value)}
        min={1}
        max={MOST_REQUESTS}
        clampBehavior="strict"
        allowDecimal={false}
      />
      <Text fz="sm" role="status">
        {isComplete ? describe(cost) : "Choose two different models."}
      </Text>
    </DialogForm>
  );
}

function describe(estimate: Estimate | undefined): string {
  if (estimate === undefined) return "Adding up what it costs.";
  const { requests, graded, nanos, unpriced } = estimate;
  if (requests === 0) return "No request of this dataset has its texts stored.";
  const judged =
    graded === 0
      ? "No workload of theirs has a judge, so only checks score them."
      : `${formatNumber(graded)} are graded by the judge of their workload.`;
  const calls =
    `${formatNumber(requests)} ${requests === 1 ? "request" : "requests"}, ` +
    `${formatNumber(2 * requests)} answers. ${judged}`;
  return nanos === null
    ? `${calls} The cost is not known: ${unpriced.map(nameText).join(", ")} has no price.`
    : `${calls} About ${formatShortCost(nanos)}, by recorded tokens at today's prices; it ends at twice that.`;
}
