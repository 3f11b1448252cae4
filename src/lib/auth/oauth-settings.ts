import type { Provider } from './oauth-providers.ts'

/** What the operator set for one provider (src/server/env.ts reads it). */
export interface ProviderSettings {
  clientId: string
  /** Apple: one made elsewhere, used only where there is no key to make it from. */
  clientSecret: string | undefined
  /** Where the provider is, if not at its own address. Only then may it be plain http. */
  issuer: string | undefined
  /** Apple's alone: what its client secret is made from. */
  key: AppleKey | undefined
}

export interface AppleKey {
  teamId: string
  keyId: string
  /** PKCS #8, P-256. */
  pem: string
}

export type OauthSettings = Partial<Record<Provider, ProviderSettings>>
