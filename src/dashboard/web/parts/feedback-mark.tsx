import { VisuallyHidden } from "@mantine/core";
import { IconMessage, IconThumbDown, IconThumbUp } from "@tabler/icons-react";

interface Props {
  readonly good: number;
  readonly bad: number;
  readonly others: number;
}

/** Counts of feedback, as small signs. */
export function FeedbackMark({ good, bad, others }: Props) {
  const marks = [
    { count: good, Icon: IconThumbUp, color: "var(--attune-good)", word: "good" },
    { count: bad, Icon: IconThumbDown, color: "var(--attune-bad)", word: "bad" },
    { count: others, Icon: IconMessage, color: "var(--mantine-color-dimmed)", word: "other feedback" },
  ];
  return (
    <span className="attune-marks">
      {marks
        .filter(({ count }) => count > 0)
        .map(({ count, Icon, color, word }) => (
          <span key={word} title={`${count} ${word}`} style={{ color }}>
            <Icon size={14} aria-hidden />
            {count > 1 && <span aria-hidden>{count}</span>}
            <VisuallyHidden>{`${count} ${word}`}</VisuallyHidden>
          </span>
        ))}
    </span>
  );
}
