import { AppShell, Burger, Button, Center, Group, Loader, Menu, ScrollArea, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCheck, IconLock, IconSelector } from "@tabler/icons-react";
import { Suspense, useEffect } from "react";
import { Navigate, Route, Routes, useLocation, useMatch, useNavigate } from "react-router";
import { capitalize } from "../../../lib/letter-case.ts";
import { describeRefusal, type Permission } from "../../../vocabulary/permissions.ts";
import { listAddresses, type PageEntry } from "../page-entry.ts";
import { PAGES } from "../pages.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { Name } from "../parts/name.tsx";
import { nameText } from "../parts/name-text.ts";
import { TourBar } from "../tour/tour-bar.tsx";
import { AccountLinks } from "./account-links.tsx";
import { ConnectionNote } from "./connection-note.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Logo } from "./logo.tsx";
import { Navigation } from "./navigation.tsx";
import { NoProject, NotFound } from "./not-found.tsx";
import { Page } from "./page.tsx";
import { Palette } from "./palette/palette.tsx";
import { lastProject, rememberProject } from "./paths.ts";
import { mayAct, type OwnProject, useProject, useSession } from "./session.ts";

/** The frame around every page: navigation at the left, or in a drawer on a phone. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { projects } = useSession();
  const named = useMatch("/projects/:projectId/*")?.params.projectId;
  const current =
    projects.find(({ id }) => id === (named ?? lastProject())) ?? (named === undefined ? projects[0] : undefined);
  useEffect(() => {
    if (current !== undefined) rememberProject(current.id);
  }, [current]);
  return (
    <AppShell
      header={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 248, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", sm: "xl" }}
    >
      <a href="#content" className="attune-skip">
        Skip to the content
      </a>
      <AppShell.Header hiddenFrom="sm" px="md">
        <Group h="100%" justify="space-between">
          <Logo />
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label="Navigation" aria-expanded={isOpen} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="md">
        <Stack gap="md" h="100%">
          <Group visibleFrom="sm" px={4} pt={4}>
            <Logo />
          </Group>
          <ProjectSwitch current={current} />
          <Palette projectId={current?.id} onFollow={close} />
          <ScrollArea flex={1} type="auto" viewportProps={{ tabIndex: -1 }}>
            <Navigation project={current} onFollow={close} />
          </ScrollArea>
          <AccountLinks project={current} onFollow={close} />
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: "none" }}>
        <ConnectionNote />
        {current !== undefined && <TourBar key={current.id} project={current} />}
        <Content projectId={current?.id} />
      </AppShell.Main>
    </AppShell>
  );
}

function Content({ projectId }: { readonly projectId: string | undefined }) {
  const { pathname, search } = useLocation();
  const home = PAGES.find(({ scope }) => scope === "project")?.path ?? "";
  return (
    <ErrorBoundary resetKey={pathname}>
      <Suspense
        fallback={
          <Center mih="50vh">
            <Loader size="sm" aria-label="Loading" />
          </Center>
        }
      >
        <Routes>
          {PAGES.flatMap((page) =>
            listAddresses(page).map(([path, Shown]) => (
              <Route
                key={path}
                path={path}
                element={
                  page.scope === "account" ? (
                    <Shown />
                  ) : projectId === undefined ? (
                    <NotFound />
                  ) : (
                    <Allowed page={page} Shown={Shown} />
                  )
                }
              />
            )),
          )}
          {projectId !== undefined && (
            <Route path="/" element={<Navigate to={`/projects/${projectId}/${home}`} replace />} />
          )}
          {projectId !== undefined && (
            <Route path="/projects/:projectId" element={<Navigate to={`/projects/${projectId}/${home}`} replace />} />
          )}
          {/* A printed link names a page and no project: /workloads. */}
          {projectId !== undefined &&
            PAGES.filter(({ scope }) => scope === "project").map(({ path }) => (
              <Route
                key={path}
                path={`/${path}/*`}
                element={<Navigate to={`/projects/${projectId}${pathname}${search}`} replace />}
              />
            ))}
          <Route path="/" element={<NoProject />} />
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </ErrorBoundary>
  );
}

interface AllowedProps {
  readonly page: Extract<PageEntry, { scope: "project" }>;
  readonly Shown: PageEntry["Page"];
}

/** Shows a page of a project, or why the role in the project does not let it be seen. */
function Allowed({ page, Shown }: AllowedProps) {
  const project = useProject();
  return mayAct(project, page.needs) ? <Shown /> : <NotAllowed title={page.title} needs={page.needs} />;
}

interface Props {
  readonly title: string;
  readonly needs: Permission;
}

/** Stands in place of a page that the role in the project does not let people see. */
function NotAllowed({ title, needs }: Props) {
  const { role } = useProject();
  const text = `${capitalize(describeRefusal(role, needs))}.`;
  return (
    <Page title={title}>
      <EmptyState Icon={IconLock} title="Not for your role" text={text} />
    </Page>
  );
}

/** Shows the current project, and leads to the same page of another one. */
function ProjectSwitch({ current }: { readonly current: OwnProject | undefined }) {
  const { projects } = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const page = /^\/projects\/[^/]+\/([^/]+)/.exec(pathname)?.[1] ?? "";
  return (
    <Menu width="target" withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          fullWidth
          justify="space-between"
          rightSection={<IconSelector size={16} />}
          aria-label={`Project: ${current === undefined ? "none" : nameText(current.name)}`}
        >
          <Text truncate fz="sm" fw={500}>
            {current === undefined ? "Choose a project" : nameText(current.name)}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Projects</Menu.Label>
        {projects.map((project) => (
          <Menu.Item
            key={project.id}
            onClick={() => void navigate(`/projects/${project.id}/${page}`)}
            rightSection={project.id === current?.id ? <IconCheck size={16} /> : undefined}
          >
            <Name>{project.name}</Name>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
