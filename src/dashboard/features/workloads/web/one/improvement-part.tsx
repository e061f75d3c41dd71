import { Alert, Button, Group, Loader, Modal, NumberInput, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { describeCallLimit, IMPROVEMENT_ENDS, USUAL_CALLS } from "../../../../../vocabulary/improvement.ts";
import { formatUsd, NANOS_PER_USD } from "../../../../../vocabulary/money.ts";
import { type Outputs, trpc } from "../../../../web/api/trpc.ts";
import { DialogForm } from "../../../../web/parts/dialog-form.tsx";
import { formatAgo, formatNumber } from "../../../../web/parts/format.ts";
import { nameText } from "../../../../web/parts/name-text.ts";
import { useOperationForm } from "../../../../web/parts/use-operation-form.ts";
import { mayAct, useProject } from "../../../../web/shell/session.ts";
import { DecidingAnswers } from "./deciding-answers.tsx";

type Improvement = NonNullable<Outputs["improvements"]["read"]>;
type Offer = NonNullable<Outputs["improvements"]["offer"]>;

const UNDER_WAY_MS = 1000;
const ENDED_MS = 30_000;
const MOST_USD = 5;

/** The improvement of a workload: what one would cost, how far one is, or how the latest one ended. */
export function ImprovementPart({ model }: { readonly model: string }) {
  const project = useProject();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [isOffered, offered] = useDisclosure(false);
  const target = { projectId: project.id, model };
  const { data } = useQuery(
    trpc.improvements.read.queryOptions(target, {
      refetchInterval: ({ state }) => (isUnderWay(state.data) ? UNDER_WAY_MS : ENDED_MS),
    }),
  );
  const mayImprove = mayAct(project, "workloads.improve");
  const { data: offer } = useQuery(trpc.improvements.offer.queryOptions(target, { enabled: mayImprove }));
  const cancel = useMutation(trpc.improvements.cancel.mutationOptions());
  if (data === undefined) return null;
  const isRunning = isUnderWay(data);
  return (
    <Stack gap="sm" role="group" aria-label="Improve">
      <Title order={2} size="h4">
        Improve
      </Title>
      <Text fz="sm" c="dimmed" mt={-8} maw={820}>
        Asks other models for recorded requests. The judge compares their answers with those of the base model. Callers
        never get them.
      </Text>
      {data !== null && (
        <Group gap="xs" wrap="nowrap" align="flex-start">
          {isRunning && <Loader size={16} mt={3} aria-hidden />}
          <Stack gap={0}>
            <Text fz="sm" role="status">
              {describeState(data)}
            </Text>
            <Text fz="sm" c="dimmed">
              {describeCourse(data)}
            </Text>
          </Stack>
        </Group>
      )}
      {offer != null && !isRunning && (
        <Text fz="sm">
          Not tried yet: {offer.models.map(nameText).join(", ")}. Find out for at most {formatUsd(offer.mostNanos)}.
        </Text>
      )}
      {mayImprove && (
        <Group>
          {offer != null && !isRunning && (
            <Button size="xs" onClick={offered.open}>
              Try {offer.models.length === 1 ? offer.models.map(nameText).join() : `${offer.models.length} new models`}
            </Button>
          )}
          {isRunning ? (
            <Button variant="default" size="xs" loading={cancel.isPending} onClick={() => cancel.mutate(target)}>
              End the improvement
            </Button>
          ) : (
            <Button variant="default" size="xs" onClick={open}>
              Find out which model does better
            </Button>
          )}
        </Group>
      )}
      {mayAct(project, "requests.read") && data?.endedAt != null && <DecidingAnswers model={model} />}
      <Modal opened={isOpen} onClose={close} title="Find out which model does better">
        <ImproveForm model={model} onDone={close} />
      </Modal>
      {offer != null && (
        <Modal opened={isOffered} onClose={offered.close} title="Try the new models">
          <ImproveForm model={model} offer={offer} onDone={offered.close} />
        </Modal>
      )}
    </Stack>
  );
}

interface FormProps {
  readonly model: string;
  /** The models that are asked alone; all that may answer if absent. */
  readonly offer?: Offer;
  readonly onDone: () => void;
}

function ImproveForm({ model, offer, onDone }: FormProps) {
  const { id: projectId } = useProject();
  const { form, state } = useOperationForm({
    initialValues: {
      mostUsd: (offer === undefined ? MOST_USD : offer.mostNanos / NANOS_PER_USD) as number | string,
      mostCalls: (offer?.calls ?? USUAL_CALLS) as number | string,
    },
    operation: trpc.improvements.request.mutationOptions({ onSuccess: onDone }),
    toInput: ({ mostUsd, mostCalls }) => ({
      projectId,
      model,
      mostUsd: Number(mostUsd),
      mostCalls: Number(mostCalls),
      ...(offer !== undefined && { models: [...offer.models] }),
    }),
  });
  const mostCalls = Math.min(1000, Math.max(1, Math.round(Number(form.values.mostCalls)) || 1));
  const plan = useQuery(
    trpc.improvements.plan.queryOptions({ projectId, model, mostCalls, ...(offer && { models: [...offer.models] }) }),
  );
  const isImpossible = plan.data !== undefined && (plan.data.judge === undefined || plan.data.models.length === 0);
  return (
    <DialogForm action="Begin" onCancel={onDone} {...state} isDisabled={plan.data === undefined || isImpossible}>
      {plan.data === undefined ? <Skeleton h={80} /> : <PlanText plan={plan.data} wanted={mostCalls} />}
      <NumberInput
        label="At most, in USD"
        description="All calls together, the judge's among them"
        min={0.01}
        decimalScale={2}
        {...form.getInputProps("mostUsd")}
      />
      <NumberInput
        label="Recorded requests"
        description="Maximum number to send to other models"
        min={1}
        max={1000}
        allowDecimal={false}
        {...form.getInputProps("mostCalls")}
      />
    </DialogForm>
  );
}

interface PlanProps {
  readonly plan: Outputs["improvements"]["plan"];
  /** The requests that others are to be asked for. */
  readonly wanted: number;
}

function PlanText({ plan, wanted }: PlanProps) {
  const { judge, secondJudge, models, recorded, rated, nanos, unpriced } = plan;
  if (judge === undefined)
    return <Alert color="yellow">The workload has no judge. Set one in its settings first.</Alert>;
  if (models.length === 0) return <Alert color="yellow">No other model may answer instead of base.</Alert>;
  const limit = describeCallLimit(wanted, plan.mostCalls);
  return (
    <Stack gap={4}>
      {limit !== undefined && <Text fz="sm">{limit}</Text>}
      <Text fz="sm" fw={500} role="status">
        {nanos !== null
          ? `It costs about ${formatUsd(nanos.mean)}, and ${formatUsd(nanos.most)} if all calls go to the most expensive model.`
          : unpriced.length > 0
            ? `The cost isn't known, because these have no price: ${unpriced.map(nameText).join(", ")}.`
            : "Nothing is recorded yet."}
      </Text>
      {plan.flexNanos !== null && <Text fz="sm">About {formatUsd(plan.flexNanos)} if the flex tier has room.</Text>}
      <Text fz="sm" c="dimmed">
        {formatNumber(recorded)} requests of 30 days are on record. {nameText(judge)} grades
        {secondJudge === undefined ? ", and is" : ` with ${nameText(secondJudge)} when that pays; both are`} first
        measured by {formatNumber(rated)} more rated answers. Models to ask: {models.map(nameText).join(", ")}.
      </Text>
    </Stack>
  );
}

function isUnderWay(improvement: Improvement | null | undefined): boolean {
  return improvement?.state === "waiting" || improvement?.state === "running";
}

const STATES: Readonly<Record<Exclude<Improvement["state"], "done">, string>> = {
  waiting: "The improvement starts shortly.",
  running: "Other models are being asked.",
  canceled: "The improvement was canceled. Its grades still count.",
};

function describeState({ state, ending }: Improvement): string {
  if (state !== "done") return STATES[state];
  return ending === null ? "Done." : `Done: ${IMPROVEMENT_ENDS[ending]}.`;
}

function describeCourse({ calls, mostCalls, checks, spentNanos, mostNanos, ...rest }: Improvement): string {
  const made = `${formatNumber(calls)} of ${formatNumber(mostCalls)} requests sent, ${checks === 1 ? "1 answer" : `${formatNumber(checks)} answers`} checked`;
  const spent = `${formatUsd(spentNanos)} of ${formatUsd(mostNanos)} spent`;
  const when = rest.endedAt === null ? `requested ${formatAgo(rest.requestedAt)}` : `ended ${formatAgo(rest.endedAt)}`;
  return `${made}, ${spent}; ${when} by ${nameText(rest.requestedBy)}`;
}
