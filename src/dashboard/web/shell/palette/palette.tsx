import { Button, Kbd, Modal, Text, TextInput } from "@mantine/core";
import { useDebouncedValue, useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Permission } from "../../../../vocabulary/permissions.ts";
import type { DocLink } from "../../../features/docs/web/parse-doc.ts";
import { trpc } from "../../api/trpc.ts";
import { carriedRange } from "../../figures/carried-range.ts";
import { PAGES } from "../../pages.ts";
import { NEW } from "../../parts/use-new-dialog.ts";
import { LINKED, pagePath } from "../paths.ts";
import { mayAct, useSession } from "../session.ts";
import { type Choice, listChoices } from "./list-choices.ts";

/** Pages by other names that people look for. */
const SHORTCUTS: readonly Shortcut[] = [
  { kind: "Action", title: "Create an API key", path: `keys?${NEW}`, needs: "keys.change" },
  { kind: "Action", title: "Revoke or rotate an API key", path: "keys", needs: "keys.change" },
  { kind: "Action", title: "Stop a spender", path: "spend", needs: "limits.change" },
  { kind: "Action", title: "Set a budget or a rate limit", path: `limits?${NEW}`, needs: "limits.change" },
  { kind: "Action", title: "Invite a member", path: "members", needs: "members.change" },
  { kind: "Action", title: "Export requests", path: "history", needs: "requests.read" },
  { kind: "Action", title: "Delete an end user's data", path: "end-users", needs: "end-users.change" },
  { kind: "Setting", title: "Stored texts (retention of bodies)", path: "settings", needs: "settings.read" },
  { kind: "Setting", title: "Model aliases", path: "settings/names", needs: "settings.read" },
  { kind: "Setting", title: "Failover, hedging and caches", path: "settings", needs: "settings.read" },
  { kind: "Setting", title: "Learning mode (off, observe, on)", path: "workloads", needs: "workloads.read" },
  { kind: "Setting", title: "Alert rules and webhooks", path: "alerts", needs: "alerts.read" },
];

const WAIT_MS = 150;

const MOST_KEYS = 6;

interface Props {
  readonly projectId: string | undefined;
  /** Called when a choice was followed: a drawer closes then. */
  readonly onFollow: () => void;
}

/** Opens, with Ctrl K or Cmd K, what is found by its name: pages, settings, actions, models, keys, requests and docs. */
export function Palette({ projectId, onFollow }: Props) {
  const [isOpen, { open, close, toggle }] = useDisclosure(false);
  useHotkeys([["mod+K", toggle]], []);
  return (
    <>
      <Button
        variant="default"
        fullWidth
        fw={400}
        c="dimmed"
        styles={{ label: { flex: 1 } }}
        onClick={open}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            Ctrl K
          </Kbd>
        }
      >
        Go to…
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        withCloseButton={false}
        centered={false}
        title="Go to"
        yOffset="12vh"
        padding="xs"
        styles={{ header: { display: "none" }, body: { padding: "var(--mantine-spacing-sm)" } }}
      >
        <Search
          projectId={projectId}
          onFollow={() => {
            close();
            onFollow();
          }}
        />
      </Modal>
    </>
  );
}

function Search({ projectId, onFollow }: Props) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const choices = useChoices(text, projectId);
  const navigate = useNavigate();
  const id = useId();
  const optionId = (index: number) => `${id}-${index}`;
  const current = Math.min(at, choices.length - 1);
  useEffect(() => {
    // Newer browsers return a promise, which is no cleanup.
    document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: "nearest" });
  }, [id, current]);
  const follow = (index: number) => {
    const to = choices[index]?.to;
    if (to === undefined) return;
    onFollow();
    void navigate(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && choices.length > 0) setAt((current + step + choices.length) % choices.length);
    else if (event.key === "Enter") follow(current);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Page, setting, action, model, key, id or docs"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={choices.length > 0 ? optionId(current) : undefined}
        placeholder="Page, setting, action, model, key, id or docs"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        maxLength={500}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={id} aria-label="Found" className="attune-palette">
        {choices.map(({ kind, label }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
          <div
            key={`${kind} ${label}`}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            // A pointer that rests where the list comes up has moved by nothing.
            onMouseMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && setAt(index)}
            onClick={() => follow(index)}
          >
            <span>{label}</span>
            <Text span fz="xs" c="dimmed">
              {kind}
            </Text>
          </div>
        ))}
      </div>
    </>
  );
}

/** Returns what a text may mean in a project. */
function useChoices(text: string, projectId: string | undefined): readonly Choice[] {
  const [query] = useDebouncedValue(text.trim(), WAIT_MS);
  const { search } = useLocation();
  const { projects } = useSession();
  const [docs, setDocs] = useState<readonly DocLink[]>([]);
  useEffect(() => {
    // Who looks for a page of the dashboard does without the list of the documentation.
    void import("../../../features/docs/web/docs-files.ts").then(
      async ({ listDocs }) => setDocs(await listDocs()),
      () => {},
    );
  }, []);
  const isSearching = projectId !== undefined && query !== "";
  const names = useQuery(
    trpc.overview.names.queryOptions(
      { projectId: projectId ?? "" },
      { enabled: projectId !== undefined, staleTime: 60_000 },
    ),
  );
  const keys = useQuery(
    trpc.keys.list.queryOptions(
      { projectId: projectId ?? "", text: query.slice(0, 100), limit: MOST_KEYS },
      { enabled: isSearching, placeholderData: keepPreviousData },
    ),
  );
  const pages = PAGES.filter(({ group, scope }) => group !== undefined || scope === "account").flatMap((entry) => {
    const to = pagePath(entry, projectId);
    return to === undefined
      ? []
      : [{ title: entry.title, to: entry.scope === "project" ? to + carriedRange(search, entry.path) : to }];
  });
  const project = projects.find(({ id }) => id === projectId);
  const shortcuts = SHORTCUTS.filter(({ needs }) => project !== undefined && mayAct(project, needs)).map(
    ({ kind, title, path }) => ({ kind, label: title, to: `/projects/${projectId}/${path}` }),
  );
  return listChoices(text, {
    pages,
    shortcuts,
    docs,
    models: names.data?.model ?? [],
    keys: isSearching ? (keys.data?.keys ?? []) : [],
    history: pagePath(LINKED.history, projectId),
    sessions: pagePath(LINKED.sessions, projectId),
  });
}

/** A setting or an action on a page, found by its own words. */
interface Shortcut {
  readonly kind: "Setting" | "Action";
  readonly title: string;
  /** Address below the project. */
  readonly path: string;
  readonly needs: Permission;
}
