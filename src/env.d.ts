declare namespace App {
  /** What a request brings along. */
  interface Locals {
    /** The sender's address: the socket's, or what the proxy says under TRUST_PROXY. */
    ip: string
    /** Resolves when the socket has taken what was sent so far, or is gone; absent in the development server. */
    waitForDrain?: () => Promise<void>
    /** Told what a page says to `Astro.cache.set`, where the page cache had it rendered. */
    setCacheOptions?: (options: import('astro').CacheOptions) => void

    // The program's services (src/app/services.ts), absent while a page is prerendered.
    db: import('#db/client.ts').Db
    map: import('#features/map/map.server.ts').MapService
    /** What browsers subscribe to notices with; null where none are sent. */
    pushKey: string | null
    /** The Content-Security-Policy of pages; undefined in development. */
    policy: string | undefined

    // Who asks (features/auth/sessions/session.http.ts).
    user: import('#lib/auth/current-user.ts').CurrentUser | null
    /** By what name the member's session is known; empty without one. */
    sessionId: string
    /** When the session ends, milliseconds; null without one. */
    expiresAt: number | null
    /** When the member last proved who they are, milliseconds; 0 without a session. */
    provedAt: number
    /** The newest event when this request of a member began: the page says all that happened up to here. */
    live?: number
  }
}
