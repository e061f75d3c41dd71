import "../../../../web/figures/series.css";
import "../workloads.css";
import { Box, Stack, Text, Title } from "@mantine/core";
import { IconTags } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { keepPrevious } from "../../../../web/api/keep-previous.ts";
import { trpc } from "../../../../web/api/trpc.ts";
import { useRange } from "../../../../web/figures/range.ts";
import { RangePicker } from "../../../../web/figures/range-picker.tsx";
import { EmptyState } from "../../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../../web/parts/error-note.tsx";
import type { Snippet } from "../../../../web/parts/snippet.ts";
import { Snippets } from "../../../../web/parts/snippets.tsx";
import { Page } from "../../../../web/shell/page.tsx";
import { useProject, useSession } from "../../../../web/shell/session.ts";
import { useOrigin } from "../../../../web/shell/use-origin.ts";
import { entriesOptions } from "../../../feedback/web/entries-options.ts";
import { FirstFeedback } from "../../../feedback/web/first-feedback.tsx";
import { ProjectControls } from "../controls/project-controls.tsx";
import { LEARNED_REFRESH_MS } from "../learned-refresh.ts";
import { LearnedTable } from "./learned-table.tsx";
import { NamesChart } from "./names-chart.tsx";
import { NamesTable } from "./names-table.tsx";

const NAMES_REFRESH_MS = 30_000;

/** Every workload of the project, and what its calls are named. */
export function ListPage() {
  const [range, setRange] = useRange("30d");
  const { id: projectId } = useProject();
  const placeholderData = keepPrevious({ projectId });
  const learned = useQuery(
    trpc.learning.list.queryOptions({ projectId, ...range }, { placeholderData, refetchInterval: LEARNED_REFRESH_MS }),
  );
  const named = useQuery(
    trpc.workloads.list.queryOptions({ projectId, ...range }, { placeholderData, refetchInterval: NAMES_REFRESH_MS }),
  );
  const feedback = useInfiniteQuery(entriesOptions(projectId));
  const names = named.data?.workloads;
  const hasNames = names?.some(({ workload }) => workload !== "") ?? true;
  const hasNoFeedback = feedback.data?.pages[0]?.entries.length === 0;
  return (
    <Page
      title="Workloads"
      lead={
        "A workload is all calls in this project that ask for one model, its base model. Feedback shows whether " +
        "another model answers them better."
      }
      actions={<RangePicker value={range} onChange={setRange} />}
    >
      <ErrorNote error={learned.error ?? named.error} onRetry={() => void retry()} />
      <Stack gap="lg">
        {learned.data !== undefined && <ProjectControls list={learned.data} />}
        {(learned.data !== undefined || !learned.isError) && (
          <Box className={learned.isPlaceholderData ? "attune-stale" : ""} aria-busy={learned.isPlaceholderData}>
            <LearnedTable list={learned.data} />
          </Box>
        )}
        {hasNoFeedback && <FirstFeedback />}
        <Box>
          <Title order={2} size="h4">
            By name
          </Title>
          <Text fz="sm" c="dimmed">
            Calls by their attune-workload header, across all models. Attune finds the best model for each name.
          </Text>
        </Box>
        {!hasNames && <LabelCalls isFirst />}
        {names?.length !== 0 && (
          <>
            <NamesChart found={named.data} />
            <NamesTable workloads={names} />
          </>
        )}
        {hasNames && names !== undefined && <LabelCalls isFirst={false} />}
      </Stack>
    </Page>
  );

  async function retry(): Promise<void> {
    await Promise.all([learned.refetch(), named.refetch()]);
  }
}

/** Tells how a call says what it is for. */
function LabelCalls({ isFirst }: { readonly isFirst: boolean }) {
  const { exampleModel } = useSession();
  const snippets = workloadSnippets({ origin: useOrigin(), model: exampleModel });
  return (
    <Box component="section" aria-label="How to name a workload" className="attune-card" p="md">
      {isFirst ? (
        <EmptyState
          Icon={IconTags}
          title="No named calls in this period"
          text="Send the header attune-workload with each call, such as support or search. Figures for each name appear here."
        />
      ) : (
        <>
          <Title order={2} size="h4">
            How a call names its workload
          </Title>
          <Text c="dimmed" fz="sm" mt={4} mb="sm">
            With the header attune-workload, of at most 256 characters.
          </Text>
        </>
      )}
      <Box {...(isFirst && { maw: 760, mx: "auto" })}>
        <Snippets snippets={snippets} />
      </Box>
    </Box>
  );
}

/** The facts of a workload snippet. */
interface WorkloadSnippetFacts {
  /** Address of this service: http://localhost:8080. */
  readonly origin: string;
  readonly model: string;
}

/** Writes how a call names its workload, in three languages. */
function workloadSnippets({ origin, model }: WorkloadSnippetFacts): readonly Snippet[] {
  const curl = `curl -sS ${origin}/v1/chat/completions \\
  -H "authorization: Bearer $ATTUNE_KEY" \\
  -H "attune-workload: support" \\
  -H "content-type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`;
  const python = `import os

from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["ATTUNE_KEY"])
chat = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
    extra_headers={"attune-workload": "support"},
)`;
  const typescript = `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${origin}/v1", apiKey: process.env["ATTUNE_KEY"] });
const chat = await client.chat.completions.create(
  { model: "${model}", messages: [{ role: "user", content: "Hello" }] },
  { headers: { "attune-workload": "support" } },
);`;
  return [
    { language: "curl", code: curl },
    { language: "Python", code: python },
    { language: "TypeScript", code: typescript },
  ];
}
