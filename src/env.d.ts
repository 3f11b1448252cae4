declare namespace App {
  interface Locals {
    /** The sender's address: the socket's, or what the proxy says under TRUST_PROXY. */
    ip: string
    /** Resolves when the socket has taken what was sent so far, or is gone; absent in the development server. */
    drained?: () => Promise<void>
    user: import('#features/auth/auth.ts').CurrentUser | null
    /** When the session ends, milliseconds; null without one. */
    expiresAt: number | null
    /** When the member last proved who they are, milliseconds; 0 without a session. */
    provedAt: number
    /** The newest event when this request of a member began: the page says all that happened up to here. */
    live?: number
  }
}
