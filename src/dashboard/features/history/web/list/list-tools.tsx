import { ActionIcon, Group, Switch, Tooltip } from "@mantine/core";
import { IconKeyboard } from "@tabler/icons-react";
import { api } from "../../../../web/api/client.ts";
import { mayAct, useProject } from "../../../../web/shell/session.ts";
import { AddToDataset } from "../../../datasets/web/add-to-dataset.tsx";
import { type Filters, toRequestFilter } from "../parse-filters.ts";
import { ExportButton } from "./export-button.tsx";
import { SavedViews } from "./saved-views.tsx";
import { isOver } from "./use-new-requests.ts";

interface Props {
  readonly filters: Filters;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
  /** Shows the keys of the keyboard. */
  readonly onHelp: () => void;
}

/** The actions on all requests that the filters let through; icons alone on a phone, so that the list begins early. */
export function ListTools({ filters, isFollowing, onFollow, onHelp }: Props) {
  const project = useProject();
  return (
    <Group gap="sm" className="attune-history-tools">
      <Switch
        label="Follow"
        checked={isFollowing}
        disabled={isOver(filters)}
        onChange={({ currentTarget }) => onFollow(currentTarget.checked)}
      />
      <SavedViews filters={filters} />
      <ExportButton filters={filters} />
      {mayAct(project, "datasets.change") && (
        <AddToDataset
          what="All requests that the filters let through are added, the newest first, up to 10,000."
          add={(id) => api.datasets.addFiltered.mutate({ projectId: project.id, id, filter: toRequestFilter(filters) })}
        />
      )}
      <Tooltip label="Keys">
        <ActionIcon visibleFrom="sm" variant="default" size={36} aria-label="Keys" onClick={onHelp}>
          <IconKeyboard size={18} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
