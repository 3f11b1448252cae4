declare namespace App {
  interface Locals {
    /** The sender's address: the socket's, or what the proxy says under TRUST_PROXY. */
    ip: string
    user: import('#features/auth/auth.ts').CurrentUser | null
    /** When the session ends, milliseconds; null without one. */
    expiresAt: number | null
  }
}
