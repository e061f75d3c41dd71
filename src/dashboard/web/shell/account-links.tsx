import { ActionIcon, Group, Menu, NavLink, Stack, Text, Tooltip, useMantineColorScheme } from "@mantine/core";
import {
  IconBook,
  IconCheck,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
} from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { Link, useLocation } from "react-router";
import { queryClient, trpc } from "../api/trpc.ts";
import { TourButton } from "../tour/tour-button.tsx";
import { type OwnProject, useSession } from "./session.ts";

const SCHEMES = [
  { value: "light", label: "Light", Icon: IconSun },
  { value: "dark", label: "Dark", Icon: IconMoon },
  { value: "auto", label: "As the system", Icon: IconDeviceDesktop },
] as const;

interface Props {
  readonly project: OwnProject | undefined;
  /** Called when something was chosen: a drawer closes then. */
  readonly onFollow: () => void;
}

/** The foot of the navigation: the account, the colour scheme, the tour, and the way out. */
export function AccountLinks({ project, onFollow }: Props) {
  const { user } = useSession();
  const { pathname } = useLocation();
  const signOut = useMutation(
    trpc.session.signOut.mutationOptions({ onSettled: () => queryClient.resetQueries(), meta: { changes: [] } }),
  );
  const isActive = pathname === "/account";
  return (
    <Stack gap={4} pt="sm" style={{ borderTop: "1px solid var(--attune-border)" }}>
      <NavLink
        component={Link}
        to="/account"
        className="attune-nav-link"
        active={isActive}
        aria-current={isActive ? "page" : undefined}
        onClick={onFollow}
        leftSection={<IconUserCircle size={18} strokeWidth={1.7} aria-hidden />}
        label={
          <Text truncate fz="sm" title={user.email}>
            {user.email}
          </Text>
        }
        aria-label={`Account of ${user.email}`}
      />
      <Group justify="space-between">
        <Group gap={4}>
          <ColorSchemeSwitch />
          <TourButton project={project} onFollow={onFollow} />
          <Tooltip label="Documentation">
            <ActionIcon
              component={Link}
              to="/docs"
              variant="subtle"
              color="gray"
              size="lg"
              aria-label="Documentation"
              onClick={onFollow}
            >
              <IconBook size={18} />
            </ActionIcon>
          </Tooltip>
        </Group>
        <Tooltip label="Sign out">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Sign out"
            loading={signOut.isPending}
            onClick={() => signOut.mutate()}
          >
            <IconLogout size={18} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Stack>
  );
}

/** Chooses light, dark, or what the system has. */
function ColorSchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = SCHEMES.find(({ value }) => value === colorScheme)?.Icon ?? IconDeviceDesktop;
  return (
    <Menu position="top-start" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Color scheme">
          <Current size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map(({ value, label, Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} />}
            rightSection={value === colorScheme ? <IconCheck size={16} /> : undefined}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
