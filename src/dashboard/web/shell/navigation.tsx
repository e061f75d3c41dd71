import { NavLink, Stack, Text } from "@mantine/core";
import { Link, useLocation } from "react-router";
import { carriedRange } from "../figures/carried-range.ts";
import { GROUPS, type PageEntry } from "../page-entry.ts";
import { PAGES } from "../pages.ts";
import { pagePath } from "./paths.ts";
import { mayAct, type OwnProject } from "./session.ts";

interface Props {
  readonly project: OwnProject | undefined;
  /** Called when a link was followed: a drawer closes then. */
  readonly onFollow: () => void;
}

/** Lists the pages that exist and that the role in the project lets people see, group by group. */
export function Navigation({ project, onFollow }: Props) {
  const { pathname, search } = useLocation();
  const link = ({ path, title, Icon, scope }: PageEntry) => {
    const target = pagePath({ path, scope }, project?.id);
    if (target === undefined) return null;
    const isActive = pathname === target || pathname.startsWith(`${target}/`);
    return (
      <NavLink
        key={path}
        component={Link}
        to={scope === "project" ? target + carriedRange(search, path) : target}
        label={title}
        leftSection={<Icon size={18} strokeWidth={1.7} aria-hidden />}
        active={isActive}
        aria-current={isActive ? "page" : undefined}
        className="attune-nav-link"
        onClick={onFollow}
      />
    );
  };
  return (
    <Stack component="nav" aria-label="Pages" gap="md">
      {GROUPS.map((group) => {
        const pages = PAGES.filter((page) => page.group === group && isShown(page, project));
        if (pages.length === 0) return null;
        return (
          <Stack key={group} gap={2}>
            <Text c="dimmed" fz="xs" fw={600} px="sm" pb={2}>
              {group}
            </Text>
            {pages.map(link)}
          </Stack>
        );
      })}
    </Stack>
  );
}

function isShown(page: PageEntry, project: OwnProject | undefined): boolean {
  return page.scope === "account" || project === undefined || mayAct(project, page.needs);
}
