import { defineAdminCommand } from "../admin-client.ts";
import type { CommandGroup } from "../command.ts";
import { LIMIT_OPTIONS } from "../limit-options.ts";
import { json, PROJECT_OR_ALL, SERVICE_HELP } from "../options.ts";
import { clearQuota, findOwnerMistake, listQuotas, OWNER_OPTIONS, QUOTA_MEMBERS, setQuota } from "../quota-owner.ts";

const HELP = `
A call counts for the installation, its project, its key, its end user and its tags; the strictest limit decides.
Limits by name take precedence over those of each, and these over attune.yaml. They take effect within a second in every process.
See docs/quotas.md.`;

/** `attune quotas`. */
export const quotas: CommandGroup = {
  help: HELP + SERVICE_HELP,
  commands: {
    list: defineAdminCommand({
      summary: "list the limits that are set",
      options: { ...PROJECT_OR_ALL, ...json("list", QUOTA_MEMBERS) },
      run: listQuotas,
    }),
    set: defineAdminCommand({
      summary: "set limits; omitted limits keep their values",
      options: { ...OWNER_OPTIONS, ...LIMIT_OPTIONS },
      examples: [
        "attune quotas set --installation --usd-month 500",
        "attune quotas set --project search --each key --rpm 60",
        "attune quotas set --end-user ada --usd-day 2",
      ],
      findMistake: findOwnerMistake,
      run: (admin, options) => setQuota(admin, options, options),
    }),
    clear: defineAdminCommand({
      summary: "remove all limits of one owner",
      options: OWNER_OPTIONS,
      findMistake: findOwnerMistake,
      run: clearQuota,
    }),
  },
};
