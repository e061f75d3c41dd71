import { describe, expect, it } from "vitest";
import { dashboardRouter } from "../../src/dashboard/router.ts";
import { type AdminMethod, isChange, OPERATIONS } from "../../src/operations/operations.ts";

/** The operation of the administrative service that changes the same, or the reason why there is none. */
type Administered = AdminMethod | { readonly none: string };

const OWN_SESSION = { none: "is about the person's own session or account" };
const OWN_WORK = { none: "is a person's work with texts on the dashboard, and changes nothing for callers" };
const TAKES_OVER = { none: "gives an account to whoever has the link: a person does it, or a command on the machine" };

/** The part of a procedure that says what it is. */
interface Procedure {
  readonly _def: { readonly type: string; readonly meta?: { readonly operation?: AdminMethod } };
}

/** The mutations of the dashboard that don't say their operation themselves. */
const MUTATIONS: Readonly<Record<string, Administered>> = {
  "datasetRuns.cancel": OWN_WORK,
  "datasetRuns.start": OWN_WORK,
  "datasets.add": OWN_WORK,
  "datasets.addFiltered": OWN_WORK,
  "datasets.create": OWN_WORK,
  "datasets.drop": OWN_WORK,
  "datasets.remove": OWN_WORK,
  "invitations.open": { none: "looks at a link, and changes nothing" },
  "invitations.accept": { none: "is what the invited person does, with the link" },
  "members.remove": "removeMember",
  "members.resetPassword": TAKES_OVER,
  "playground.allow": { none: "is about the playground, which is of the dashboard alone" },
  "projectSettings.removeAlias": "updateProject",
  "projectSettings.setAlias": "updateProject",
  "projects.create": "createProject",
  "projects.rename": "updateProject",
  "projects.restore": "restoreProject",
  "resets.open": { none: "looks at a link, and changes nothing" },
  "resets.redeem": TAKES_OVER,
  "session.changePassword": OWN_SESSION,
  "session.end": OWN_SESSION,
  "session.signIn": OWN_SESSION,
  "session.signOut": OWN_SESSION,
  "session.signOutEverywhere": OWN_SESSION,
  "setup.createOwner": TAKES_OVER,
  "views.remove": OWN_WORK,
  "views.save": OWN_WORK,
};

describe("the mutations of the dashboard", () => {
  const procedures = dashboardRouter._def.procedures as unknown as Readonly<Record<string, Procedure>>;
  const all = Object.entries(procedures);
  const mutations = all.filter(([, { _def }]) => _def.type === "mutation");
  const operating = mutations.flatMap(([path, { _def }]) =>
    _def.meta?.operation ? [[path, _def.meta.operation]] : [],
  );

  it("each have an operation of the administrative service that changes something, or a reason to have none", () => {
    const administrations: Readonly<Record<string, Administered>> = { ...Object.fromEntries(operating), ...MUTATIONS };
    expect(Object.keys(administrations).sort()).toEqual(mutations.map(([path]) => path).sort());
    for (const [path, administered] of Object.entries(administrations)) {
      if (typeof administered === "string") expect([path, isChange(OPERATIONS[administered])]).toEqual([path, true]);
      else expect(administered.none.length).toBeGreaterThan(0);
    }
  });
});
