import { getEnv } from '#server/env.ts'

/** True where the site is served under https, so that its cookies may say Secure. */
export const isHttpsSite = (): boolean => getEnv().siteUrl?.startsWith('https:') ?? false
