import type { Role } from "./roles.ts";

/** The settings of the sign-in to the dashboard. */
export interface SignInSettings {
  /** By the name in their redirect address. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** True if passwords are off, but for the account of the first owner. */
  readonly required: boolean;
  /** The time after which the provider is asked whether a session goes on. */
  readonly refreshMs: number;
}

/** The settings of an OpenID Connect provider. */
export interface ProviderSettings {
  /** Name for people; undefined for that of the configuration. */
  readonly label?: string | undefined;
  readonly issuer: string;
  readonly clientId: string;
  /** A secret; undefined for a public client. */
  readonly clientSecret?: string | undefined;
  readonly scopes: readonly string[];
  /** Parameter of the sign-in; undefined sends none. */
  readonly prompt?: string | undefined;
  readonly groupsClaim: string;
  readonly groups: readonly GroupRule[];
  /** Believes addresses with the claim email_verified, or all of them. */
  readonly emailVerified: "claim" | "always";
  /** True if a person gets the account that has the same verified address already. */
  readonly linkAccounts: boolean;
}

/** The role that a group has in a project. */
export interface GroupRule {
  /** `*` is everyone. */
  readonly group: string;
  /** Name or id. */
  readonly project: string;
  readonly role: Role;
}
