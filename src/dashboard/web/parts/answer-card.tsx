import "./answers.css";
import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { AnswerFacts, type AnswerFigures } from "./answer-facts.tsx";

interface Props {
  /** Says whose answer it is. */
  readonly title: string;
  /** Badges beside the title. */
  readonly marks?: ReactNode;
  /** Undefined while the answer is on its way. */
  readonly figures?: AnswerFigures | undefined;
  /** Links below the figures. */
  readonly links?: ReactNode;
  readonly children: ReactNode;
}

/** An answer beside others: what it says, and what it cost and took at the foot. */
export function AnswerCard({ title, marks, figures, links, children }: Props) {
  return (
    <article className="attune-message attune-answer" data-role="answer" aria-label={title}>
      <Group gap={6}>
        <Text fz="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
          {title}
        </Text>
        {marks}
      </Group>
      {children}
      {figures !== undefined && <AnswerFacts figures={figures} />}
      {links}
    </article>
  );
}
