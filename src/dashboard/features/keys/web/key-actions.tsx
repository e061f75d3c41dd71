import { ActionIcon, Button, Group, Menu } from "@mantine/core";
import { IconBan, IconDots, IconGauge, IconPlayerPause, IconPlayerPlay, IconRefresh } from "@tabler/icons-react";
import { nameText } from "../../../web/parts/name-text.ts";
import type { ApiKey } from "./types.ts";

/** Rights of the person over a key, and what each action calls. */
export interface KeyActs {
  /** Given to people who may set limits. */
  readonly onLimit: ((key: ApiKey) => void) | undefined;
  readonly onEdit: (key: ApiKey) => void;
  readonly onRotate: (key: ApiKey) => void;
  /** Pauses an active key, and resumes a paused one. */
  readonly onPause: (key: ApiKey) => void;
  readonly onRevoke: (key: ApiKey) => void;
  /** True if they may do so with the keys of others too. */
  readonly mayChangeAny: boolean;
}

interface Props extends KeyActs {
  readonly apiKey: ApiKey;
}

/** The buttons of a key. One that has expired is edited, for another expiry; one that was revoked has none. */
export function KeyActions({ apiKey, onLimit, onEdit, onRotate, onPause, onRevoke, mayChangeAny }: Props) {
  if (apiKey.state === "revoked") return null;
  const isPaused = apiKey.state === "paused";
  const name = nameText(apiKey.name);
  const isOthers = !mayChangeAny && !apiKey.isYours;
  const refusal = isOthers ? "Somebody else created it: owners and admins change it" : undefined;
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => onEdit(apiKey)}
        disabled={isOthers}
        title={refusal}
        aria-label={`Edit ${name}`}
      >
        Edit
      </Button>
      {apiKey.state !== "expired" && (
        // The placeholder that Mantine would focus is no item of a menu to screen readers.
        <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <ActionIcon
              variant="default"
              size={26}
              disabled={isOthers}
              title={refusal}
              aria-label={`More actions for ${name}`}
            >
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {onLimit && (
              <Menu.Item leftSection={<IconGauge size={16} aria-hidden />} onClick={() => onLimit(apiKey)}>
                Limits
              </Menu.Item>
            )}
            {!apiKey.isOfPlayground && (
              <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => onRotate(apiKey)}>
                Rotate
              </Menu.Item>
            )}
            {!apiKey.isOfPlayground && (
              <Menu.Item
                leftSection={
                  isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />
                }
                onClick={() => onPause(apiKey)}
              >
                {isPaused ? "Resume" : "Pause"}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconBan size={16} aria-hidden />} onClick={() => onRevoke(apiKey)}>
              Revoke
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}
