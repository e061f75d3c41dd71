import { styleNonce } from "./nonce.ts";
import "./mantine.css";
import "@mantine/notifications/styles.css";
import "./theme.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { queryClient } from "./api/trpc.ts";
import { App } from "./app.tsx";
import { DASHBOARD_PATH } from "./dashboard-path.ts";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { theme } from "./theme.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      <Notifications position="bottom-right" />
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <BrowserRouter basename={DASHBOARD_PATH}>
            <App />
          </BrowserRouter>
        </QueryClientProvider>
      </ErrorBoundary>
    </MantineProvider>
  </StrictMode>,
);
