import OpenAI from "openai";
import type { Page } from "playwright-core";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import type { DashboardService } from "../../../test/dashboard/harness.ts";
import { takePictures } from "./camera.ts";

interface Options {
  /** The link of the first start. */
  readonly link: string;
  /** The address that is shown. */
  readonly address: string;
  readonly service: DashboardService;
}

const PASSWORD = "a few plain words";

/** Takes the first five steps in the dashboard: account, key, call, feedback, and what was said. Returns the key. */
export async function takeTour(page: Page, { link, address, service }: Options) {
  const dialog = page.getByRole("dialog");
  await page.goto(link);
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Password again").fill(PASSWORD);
  await takePictures(page, "tour-1-account");
  await page.getByRole("button", { name: "Create the account" }).click();

  await page.getByRole("button", { name: "Create a key" }).click();
  await dialog.getByLabel("Name").fill("shop backend");
  await dialog.getByRole("button", { name: "Create the key" }).click();
  const key = (await page.getByTestId("secret").textContent()) ?? "";
  await takePictures(page, "tour-2-key");
  await dialog.getByRole("button", { name: "I have copied it" }).click();

  const openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: key, maxRetries: 0 });
  const messages = [{ role: "user" as const, content: "Where is order 4711, with Middlemarch?" }];
  const ask = () => openai.chat.completions.create({ model: "attune/standard", messages });
  let answer = await ask();
  while (answer.choices[0]?.message.content?.includes("wrong") === true) answer = await ask();
  const project = `${address}/dashboard/projects/${DEFAULT_PROJECT.id}`;
  await page.goto(`${project}/history`);
  await page.getByText("the right answer").first().click();
  await page.getByText("Raw JSON").waitFor();
  await takePictures(page, "tour-3-call");

  await openai.post("/feedback", {
    body: [{ id: answer.id, feedback: { helpful: true, comment: "found it at once" } }],
  });
  await page.goto(`${project}/feedback`);
  await page.getByText("found it at once").first().waitFor();
  await takePictures(page, "tour-4-feedback");
  return { key, projectId: DEFAULT_PROJECT.id };
}
