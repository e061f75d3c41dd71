import "../../../../web/figures/series.css";
import "../workloads.css";
import { IconScale } from "@tabler/icons-react";
import { useLocation, useParams } from "react-router";
import { EmptyState } from "../../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../../web/parts/error-note.tsx";
import { nameText } from "../../../../web/parts/name-text.ts";
import { Page } from "../../../../web/shell/page.tsx";
import { PairView } from "./pair-view.tsx";
import { usePair } from "./use-pair.ts";

/** Lets people of the project judge answers and those of their shadow trials, without the models that gave them. */
export function PairsPage() {
  const { model = "" } = useParams();
  const { search } = useLocation();
  const { pair, judge, goOn } = usePair(model);
  return (
    <Page
      title="Compare answers"
      lead={
        `Two models answered the same request of ${nameText(model)}. ` +
        "Choose the answers that would satisfy the person who asked. The models are named afterward."
      }
      back={{ label: "The workload", to: { pathname: "..", search } }}
    >
      <ErrorNote error={pair.error ?? judge.error} onRetry={() => void pair.refetch()} />
      {pair.data === null && (
        <EmptyState
          Icon={IconScale}
          title="No pair left to judge"
          text={
            "Shadow trials produce pairs: the returned answer, and another model's. " +
            "The latest 200 of a workload wait here."
          }
        />
      )}
      {pair.data != null && (
        <PairView
          key={pair.data.id}
          pair={pair.data}
          judged={judge.data}
          isPending={judge.isPending}
          onVerdict={(verdict) => judge.mutate(verdict)}
          onNext={goOn}
        />
      )}
    </Page>
  );
}
