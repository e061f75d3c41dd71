import { Button, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../../../web/api/client.ts";
import { trpc } from "../../../../web/api/trpc.ts";
import { DASHBOARD_PATH } from "../../../../web/dashboard-path.ts";
import { DialogFooter } from "../../../../web/parts/dialog-form.tsx";
import { ErrorNote } from "../../../../web/parts/error-note.tsx";
import { useProject } from "../../../../web/shell/session.ts";
import { type Filters, hasFilters, toRequestFilter } from "../parse-filters.ts";
import type { RequestFilter } from "../types.ts";

/** Address of an export of the requests that a filter lets through. */
export function exportAddress(projectId: string, filter: RequestFilter, format: "jsonl" | "csv" = "jsonl"): string {
  return `${DASHBOARD_PATH}/api/export/history?input=${encodeURIComponent(JSON.stringify({ projectId, filter, format }))}`;
}

/** Tells what an export holds, and starts it. */
export function ExportButton({ filters }: { readonly filters: Filters }) {
  const { id: projectId } = useProject();
  const [isOpen, { open, close }] = useDisclosure(false);
  const filter = toRequestFilter(filters);
  const plan = useQuery({
    // By what was chosen: the times in a filter go on with the clock.
    queryKey: [...trpc.history.exportPlan.pathKey(), projectId, filters],
    queryFn: () => api.history.exportPlan.query({ projectId, filter }),
    enabled: isOpen,
    gcTime: 0,
  });
  return (
    <>
      <Button variant="default" onClick={open} leftSection={<IconDownload size={16} aria-hidden />}>
        Export
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={hasFilters(filters) ? "Export filtered requests" : "Export requests"}
      >
        <Stack>
          <Text fz="sm">
            As JSON lines, one for each request, the newest first: what was asked and answered, the facts, and the
            feedback. As CSV for a spreadsheet: the facts, first words, and counts of feedback. The file has all of
            them, however many. The audit log notes the export.
          </Text>
          <ErrorNote error={plan.error} onRetry={() => void plan.refetch()} />
          <DialogFooter onCancel={close}>
            {(["csv", "jsonl"] as const).map((format) => (
              <Button
                key={format}
                component="a"
                href={exportAddress(projectId, filter, format)}
                download
                variant={format === "jsonl" ? "filled" : "default"}
                data-disabled={plan.data === undefined || undefined}
                onClick={close}
              >
                {format === "jsonl" ? "Download JSON lines" : "Download CSV"}
              </Button>
            ))}
          </DialogFooter>
        </Stack>
      </Modal>
    </>
  );
}
