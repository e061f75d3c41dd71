import type { Project } from "../../gen/attune/admin/v1/project_pb.ts";
import type { Config } from "../config/config.ts";
import type { Store } from "../store/types/store.ts";
import type { Command, HandledCommand, None, Parameters, ValuesOf } from "./command.ts";
import { confirm } from "./confirm.ts";
import type { CommandParameters } from "./name-parameter.ts";
import type { AdminClient } from "./open-admin-client.ts";
import { CONFIRMATION, SERVICE, type ServiceOptions, type ServiceValues } from "./options.ts";
import { fail } from "./output.ts";

export type { AdminClient } from "./open-admin-client.ts";

/** The database of the configuration, where a command works on that itself. */
export interface Local {
  readonly store: Store;
  readonly config: Config;
}

const PAGE_SIZE = 1000;

/** Works with the administrative service; ends the command where that refuses, in the words of its command line. */
export async function withAdmin(
  values: ServiceValues,
  work: (admin: AdminClient, local?: Local) => Promise<void>,
  parameters: CommandParameters = {},
): Promise<void> {
  const { url } = values;
  const { connect, explain, openLocal, withStore } = await import("./open-admin-client.ts");
  const attempt = (admin: AdminClient, local?: Local) =>
    work(admin, local).catch((thrown: unknown) => explain(thrown, values, parameters));
  if (url !== undefined) await attempt(connect(url));
  else await withStore(async (store, config) => await attempt(openLocal(store, config), { store, config }));
}

type CommandValues<Arguments extends Parameters, Options extends Parameters> = ValuesOf<Arguments> & ValuesOf<Options>;

/** A command that calls the administrative service: --url and --yes come with it. */
interface AdminCommand<Arguments extends Parameters, Options extends Parameters>
  extends Omit<HandledCommand<Arguments, Options>, "run"> {
  /** Returns the question that a person, or --yes, has to say yes to before anything is changed. */
  confirm?(values: CommandValues<Arguments, Options>): string;
  run(admin: AdminClient, values: CommandValues<Arguments, Options> & ServiceOptions, local?: Local): Promise<void>;
}

/** Declares a command that calls the administrative service, wherever that is. */
export function defineAdminCommand<Arguments extends Parameters = None, Options extends Parameters = None>(
  command: AdminCommand<Arguments, Options> & { readonly summary: string },
): Command {
  return { ...defineAdminRootCommand(command), summary: command.summary };
}

/** Declares one of the first level. */
export function defineAdminRootCommand<Arguments extends Parameters = None, Options extends Parameters = None>({
  confirm: toQuestion,
  run,
  ...command
}: AdminCommand<Arguments, Options>): Omit<Command, "summary"> {
  return {
    ...(command as Omit<Command, "run">),
    options: { ...command.options, ...(toQuestion && CONFIRMATION), ...SERVICE },
    async run(values) {
      const given = values as CommandValues<Arguments, Options> & ServiceOptions;
      const question = toQuestion?.(given);
      if (question !== undefined && !(await confirm({ text: question, yes: values["yes"] === true }))) {
        fail(`${question} Nothing was changed: give --yes to do it`);
      }
      await withAdmin(given, (admin, local) => run(admin, given, local), command);
    },
  };
}

/** The part of a request that asks for a page. */
interface PageRequest {
  readonly pageSize: number;
  readonly pageToken: string;
}

/** Reads all pages of the list that responses have under a name. */
export async function readPages<
  Name extends string,
  Page extends { readonly nextPageToken: string } & Readonly<Record<Name, readonly unknown[]>>,
>(name: Name, readPage: (page: PageRequest) => Promise<Page>): Promise<readonly Page[Name][number][]> {
  const all: Page[Name][number][] = [];
  for (let pageToken: string | undefined; pageToken !== ""; ) {
    const page = await readPage({ pageSize: PAGE_SIZE, pageToken: pageToken ?? "" });
    all.push(...page[name]);
    pageToken = page.nextPageToken;
  }
  return all;
}

/** Lists the projects that the caller sees, the oldest first. */
export async function readProjects(admin: AdminClient): Promise<readonly Project[]> {
  return await readPages("projects", (page) => admin.listProjects(page));
}
