import { Button, Modal, NumberInput, Select, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { type Inputs, type Outputs, trpc } from "../../../web/api/trpc.ts";
import { DialogForm } from "../../../web/parts/dialog-form.tsx";
import { formatNumber, formatShortCost } from "../../../web/parts/format.ts";
import { nameText } from "../../../web/parts/name-text.ts";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { useProject } from "../../../web/shell/session.ts";

const MOST_REQUESTS = 1000;
const USUAL_REQUESTS = 100;

type Estimate = Outputs["datasetRuns"]["estimate"];

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
  const runs = useQuery(trpc.datasetRuns.list.queryOptions({ projectId, id: datasetId }));
  const navigate = useNavigate();
  const { form, state } = useOperationForm({
    initialValues: { first: "", second: "", judge: "", most: USUAL_REQUESTS },
    operation: trpc.datasetRuns.start.mutationOptions({ onSuccess: ({ id }) => navigate(`runs/${id}`) }),
    toInput: (): Inputs["datasetRuns"]["start"] | undefined =>
      cost === undefined ? undefined : { ...run, confirmedNanos: cost.nanos },
  });
  const names = runs.data?.models ?? [];
  const { first = "", second = "", judge, most } = form.values;
  const models: [string, string] = [first || (names[0] ?? ""), second || (names[1] ?? "")];
  const isComplete = models[0] !== "" && models[1] !== "" && models[0] !== models[1];
  const run = { projectId, id: datasetId, models, most, ...(judge && { judge }) };
  const estimate = useQuery(trpc.datasetRuns.estimate.queryOptions(run, { enabled: isComplete }));
  const cost = estimate.data;
  const choices = {
    data: names.map((one) => ({ value: one, label: nameText(one) })),
    searchable: true,
    nothingFoundMessage: "No model of this name",
  };
  return (
    <DialogForm
      action={cost?.nanos == null ? "Run" : `Run for about ${formatShortCost(cost.nanos)}`}
      onCancel={onClose}
      {...state}
      isDisabled={!isComplete || cost === undefined || cost.requests === 0}
      error={runs.error ?? estimate.error ?? state.error}
    >
      <Select
        label="First model"
        {...choices}
        allowDeselect={false}
        {...form.getInputProps("first")}
        value={models[0]}
      />
      <Select
        label="Second model"
        {...choices}
        allowDeselect={false}
        {...form.getInputProps("second")}
        value={models[1]}
      />
      <Select
        label="Judge"
        description="The model that grades both answers, best one of another vendor"
        placeholder="The judge of each request's workload"
        {...choices}
        clearable
        {...form.getInputProps("judge")}
        value={judge || null}
        onChange={(value) => form.setFieldValue("judge", value ?? "")}
      />
      <NumberInput
        label="Requests at most"
        description="The newest with stored texts"
        min={1}
        max={MOST_REQUESTS}
        clampBehavior="strict"
        allowDecimal={false}
        {...form.getInputProps("most")}
        onChange={(value) => typeof value === "number" && form.setFieldValue("most", value)}
      />
      <Text fz="sm" role="status">
        {isComplete ? describe(cost, judge) : "Choose two different models."}
      </Text>
    </DialogForm>
  );
}

function describe(estimate: Estimate | undefined, judge: string): string {
  if (estimate === undefined) return "Estimating the cost.";
  const { requests, graded, nanos, unpriced } = estimate;
  if (requests === 0) return "No request of this dataset has its texts stored.";
  const judged =
    graded === 0
      ? "No workload of theirs has a judge, so only checks score them: choose a judge for a verdict."
      : `${formatNumber(graded)} are graded by ${judge === "" ? "the judge of their workload" : nameText(judge)}.`;
  const calls =
    `${formatNumber(requests)} ${requests === 1 ? "request" : "requests"}, ` +
    `${formatNumber(2 * requests)} answers. ${judged}`;
  return nanos === null
    ? `${calls} The cost is not known: ${unpriced.map(nameText).join(", ")} has no price.`
    : `${calls} About ${formatShortCost(nanos)}, by recorded tokens at today's prices; it ends at twice that.`;
}
