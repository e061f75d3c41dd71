import type { KeyObject } from "node:crypto";
import { Signer } from "../../../lib/signer.ts";
import type { SignInSettings } from "../../../vocabulary/sign-in-settings.ts";
import { createOidcProvider, type OidcProvider } from "./oidc-provider.ts";

/** The sign-in to the dashboard, beside passwords or in their place. */
export interface SignIn {
  /** True if passwords are off, but for the account of the first owner. */
  readonly required: boolean;
  /** The time after which a provider is asked whether a session goes on. */
  readonly refreshMs: number;
  /** By the name in their addresses. */
  readonly providers: ReadonlyMap<string, OidcProvider>;
  /** Signs what the browser keeps of a sign-in. */
  readonly signer: Signer;
}

/** Creates the sign-in; providers are asked when somebody signs in. */
export function createSignIn({ providers, ...settings }: SignInSettings, signingKey: KeyObject): SignIn {
  const created = Object.entries(providers).map(([name, provider]) => [name, createOidcProvider(provider)] as const);
  return { ...settings, providers: new Map(created), signer: new Signer(signingKey, "dashboard") };
}
