import { Box, Text, Title } from "@mantine/core";
import { IconTags } from "@tabler/icons-react";
import { EmptyState } from "../../../parts/empty-state.tsx";
import { Snippets } from "../../../parts/snippets.tsx";
import { useSession } from "../../../shell/session.ts";
import { useOrigin } from "../../../shell/use-origin.ts";
import { workloadSnippets } from "./snippets.ts";

/** Tells how a call says what it is for. */
export function LabelCalls({ isFirst }: { readonly isFirst: boolean }) {
  const { exampleModel } = useSession();
  const snippets = workloadSnippets({ origin: useOrigin(), model: exampleModel });
  return (
    <Box component="section" aria-label="How to name a workload" className="attune-card" p="md">
      {isFirst ? (
        <EmptyState
          Icon={IconTags}
          title="No call named a workload in this time"
          text="Send the header attune-workload with each call: support, search, summaries. Its figures appear here."
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
      <Snippets snippets={snippets} />
    </Box>
  );
}
