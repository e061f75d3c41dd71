import { Center, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { Route, Routes } from "react-router";
import { SignInPage } from "../features/sign-in/web/sign-in-page.tsx";
import { trpc } from "./api/trpc.ts";
import { ErrorNote } from "./parts/error-note.tsx";
import { lazyPart } from "./shell/lazy-part.ts";
import { SessionContext } from "./shell/session.ts";
import { Shell } from "./shell/shell.tsx";

const SetupPage = lazyPart(async () => (await import("../features/sign-in/web/setup-page.tsx")).SetupPage);
const InvitationPage = lazyPart(
  async () => (await import("../features/sign-in/web/invitation-page.tsx")).InvitationPage,
);
const ResetPage = lazyPart(async () => (await import("../features/sign-in/web/reset-page.tsx")).ResetPage);

/** The whole dashboard: links that come from outside, and everything else for who is signed in. */
export function App() {
  return (
    <Suspense fallback={<Waiting />}>
      <Routes>
        <Route path="/setup" element={<SetupPage />} />
        <Route path="/invitation" element={<InvitationPage />} />
        <Route path="/reset" element={<ResetPage />} />
        <Route path="*" element={<SignedIn />} />
      </Routes>
    </Suspense>
  );
}

/** Shows the sign-in page at the address that was asked for, so that signing in leads there. */
function SignedIn() {
  const session = useQuery(trpc.session.current.queryOptions(undefined, { staleTime: 60_000 }));
  if (session.isPending) return <Waiting />;
  if (session.isError) {
    return (
      <Center mih="100vh" p="md">
        <ErrorNote error={session.error} onRetry={() => void session.refetch()} />
      </Center>
    );
  }
  if (session.data.user === null) return <SignInPage ways={session.data} />;
  return (
    <SessionContext value={session.data}>
      <Shell />
    </SessionContext>
  );
}

function Waiting() {
  return (
    <Center mih="100vh">
      <Loader size="sm" aria-label="Loading" />
    </Center>
  );
}
