/** The social sign-ins of docs/product.md §10.1, in the order of their buttons. */
export const PROVIDERS = ['google', 'facebook', 'apple', 'github'] as const
export type Provider = (typeof PROVIDERS)[number]

export const PROVIDER_NAMES: Record<Provider, string> = {
  google: 'Google',
  facebook: 'Facebook',
  apple: 'Apple',
  github: 'GitHub',
}

/** The providers that the operator has configured: the sign-in screens show a button for each. */
export const availableProviders = (configured: Partial<Record<Provider, unknown>>): Provider[] =>
  PROVIDERS.filter((provider) => configured[provider])
