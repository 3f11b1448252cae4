/** The social sign-ins of spec.md §2, in the order their buttons stand. */
export const PROVIDERS = ['google', 'facebook', 'apple', 'github'] as const
export type Provider = (typeof PROVIDERS)[number]

export const PROVIDER_NAMES: Record<Provider, string> = {
  google: 'Google',
  facebook: 'Facebook',
  apple: 'Apple',
  github: 'GitHub',
}

/** Providers whose flow this build can finish. None so far: a button that cannot work is not shown. */
const FLOWS: readonly Provider[] = []

/** Whose buttons the sign-in screens show: configured by the operator and finished by us. The one place to widen. */
export const availableProviders = (
  configured: Record<Provider, boolean>,
  flows: readonly Provider[] = FLOWS,
): Provider[] => PROVIDERS.filter((provider) => configured[provider] && flows.includes(provider))
