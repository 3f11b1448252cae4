import { getEnv } from './env.ts'

/** True where the site is served under https, so that its cookies may say Secure. */
export const isSecure = (): boolean => getEnv().siteUrl?.startsWith('https:') ?? false
