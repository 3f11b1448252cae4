import { lostPaths } from '#lib/lost-paths.ts'

/** Addresses of the alerts. `paths` (src/lib/paths.ts) reaches every page's script, and these are on few pages. */
export const lostAlertPaths = {
  /** The page after its form. @param query what came of it */
  after: (query: Record<string, string>) => `${lostPaths.lostAlerts}?${new URLSearchParams(query)}`,
  /** The last link of a mail; the page asks before it unsubscribes. */
  unsubscribe: (token: string) => `${lostPaths.lostAlerts}/baja?${new URLSearchParams({ token })}`,
  api: {
    /** One-click unsubscribe of mail programs (RFC 8058). */
    unsubscribe: (token: string) => `${lostPaths.api.lostAlerts}/unsubscribe?${new URLSearchParams({ token })}`,
  },
} as const
