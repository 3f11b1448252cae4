import type { Provider } from './oauth-providers.ts'

/** The operator's settings of one provider (read by src/server/env.ts). */
export interface ProviderSettings {
  clientId: string
  /** Apple: a secret made elsewhere, used only without `key`. */
  clientSecret: string | undefined
  /** The provider's address where it is not the usual one; only this one may be plain http. */
  issuer: string | undefined
  /** Apple only: the key from which its client secret is made. */
  key: AppleKey | undefined
}

export interface AppleKey {
  teamId: string
  keyId: string
  /** PKCS #8, P-256. */
  pem: string
}

export type OauthSettings = Partial<Record<Provider, ProviderSettings>>
