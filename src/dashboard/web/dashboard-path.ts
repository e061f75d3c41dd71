/** Path of the dashboard on its host, without a slash at its end: the built files are in its folder of assets. */
export const DASHBOARD_PATH = new URL(import.meta.url).pathname.replace(/\/assets\/[^/]+$/, "");
