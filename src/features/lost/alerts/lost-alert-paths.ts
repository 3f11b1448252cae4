import { lostPaths } from '#lib/lost-paths.ts'

/** Addresses of the alerts. `paths` (src/lib/paths.ts) reaches every page's script, and these are on few pages. */
export const lostAlertPaths = {
  /** The last link of a mail; the page asks before it unsubscribes. */
  unsubscribe: (token: string) => `/perdidos/avisos/baja?${new URLSearchParams({ token })}`,
  api: {
    /** One-click unsubscribe of mail programs (RFC 8058). */
    unsubscribe: (token: string) => `${lostPaths.api.lostAlerts}/unsubscribe?${new URLSearchParams({ token })}`,
  },
} as const
