/** The social sign-ins of docs/product.md §10.1, in the order their buttons stand. */
export const PROVIDERS = ['google', 'facebook', 'apple', 'github'] as const
export type Provider = (typeof PROVIDERS)[number]

export const PROVIDER_NAMES: Record<Provider, string> = {
  google: 'Google',
  facebook: 'Facebook',
  apple: 'Apple',
  github: 'GitHub',
}

/** Whose buttons the sign-in screens show: those that the operator configured. A button that cannot work is not shown. */
export const availableProviders = (configured: Partial<Record<Provider, unknown>>): Provider[] =>
  PROVIDERS.filter((provider) => configured[provider])
