import type { Page } from "playwright-core";
import { takePictures } from "./camera.ts";

interface Options {
  /** The address of the dashboard. */
  readonly address: string;
  /** The project of the demonstration. */
  readonly shop: string;
  /** A project with a year of made-up calls. */
  readonly company: string;
}

/** Takes the pages of the dashboard that the documentation shows. */
export async function pictureDashboard(page: Page, { address, shop, company }: Options): Promise<void> {
  const open = async (project: string, path: string): Promise<void> => {
    await page.goto(`${address}/projects/${project}/${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };
  await page.setViewportSize({ width: 1280, height: 1400 });
  await open(company, "overview?range=30d");
  await takePictures(page, "overview");
  await page.setViewportSize({ width: 1280, height: 960 });
  await open(company, "spend?range=30d");
  await takePictures(page, "spend");
  await open(company, "errors?range=30d");
  await takePictures(page, "errors");
  await open(shop, "workloads/standard?range=1h");
  await takePictures(page, "workload");
  await open(shop, "history");
  await takePictures(page, "history");
  await page.getByText("standard → swift").first().click();
  await page.getByRole("heading", { level: 1, name: "Request" }).waitFor();
  await takePictures(page, "request");
}
