import { ActionIcon, Group, Text, Tooltip } from "@mantine/core";
import { IconThumbDown, IconThumbUp } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { ErrorNote } from "./error-note.tsx";
import { type AnswerPlace, type SentEntry, sendFeedback } from "./send-feedback.ts";

interface Props {
  readonly place: AnswerPlace;
  /** Tag that tells where it was said. */
  readonly source: string;
  /** Names the buttons where there are several of them on a page. */
  readonly of?: string;
  /** Told what was taken. */
  readonly onSent?: ((entries: readonly SentEntry[]) => void) | undefined;
}

const VERDICTS = [
  { helpful: true, label: "Helpful", Icon: IconThumbUp },
  { helpful: false, label: "Not helpful", Icon: IconThumbDown },
];

/** Takes a verdict on an answer, once, as the metric `helpful`. */
export function VerdictButtons({ place, source, of, onSent }: Props) {
  const give = useMutation({
    mutationFn: (helpful: boolean) => sendFeedback(place, { helpful }, source),
    onSuccess: onSent,
    meta: { showsError: true },
  });
  const given = give.isSuccess ? give.variables : undefined;
  return (
    <>
      <Group gap="xs">
        <Text fz="sm">{given === undefined ? "Was this helpful?" : "Thanks, feedback sent."}</Text>
        {VERDICTS.map(({ helpful, label, Icon }) => (
          <Tooltip key={label} label={label}>
            <ActionIcon
              variant={given === helpful ? "filled" : "default"}
              aria-label={of === undefined ? label : `${label}: ${of}`}
              aria-pressed={given === helpful}
              loading={give.isPending && give.variables === helpful}
              disabled={given !== undefined}
              onClick={() => give.mutate(helpful)}
            >
              <Icon size={16} />
            </ActionIcon>
          </Tooltip>
        ))}
      </Group>
      <ErrorNote error={give.error} />
    </>
  );
}
