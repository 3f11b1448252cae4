declare namespace App {
  /** What pages and endpoints know about their request. */
  interface Locals {
    /** The client's network (server/connections/client-network.ts). */
    network: string
    /** Resolves when the socket accepts more bytes or is closed; absent in the development server. */
    waitForDrain?: () => Promise<void>
    /** Set where a page is rendered once for all members: the frame's texts, slots that are filled in when it is sent (lib/member-slots.ts). */
    frameTexts?: Readonly<Record<import('#lib/member-slots.ts').MemberSlot, string>>
    /** Set where the page cache renders: caches the page (server/cache-page.ts), until then at most, milliseconds. */
    cachePage?: (until?: number) => void

    // The program's services (src/app/services.ts), absent while a page is prerendered.
    db: import('#db/client.ts').Db
    map: import('#features/map/map.server.ts').MapService
    /** Mails on their way; null where they are written to the outbox. */
    mailQueue: import('#server/mail-queue.ts').MailQueue | null
    /** The public key for push subscriptions; null where push is off. */
    pushKey: string | null
    /** The Content-Security-Policy of pages; undefined in development. */
    policy: string | undefined

    // The requester (features/auth/sessions/session.http.ts).
    user: import('#lib/auth/current-user.ts').CurrentUser | null
    /** Who signed in to an account that waits for its deletion, in place of `user`; null for all others. */
    leaving: import('#features/auth/sessions/sessions.server.ts').LeavingAccount | null
    /** Whether the request carries a session that has expired, was closed, or whose account is deleted or waits for that. */
    hasDeadSession: boolean
    /** The session's public id; empty without one. */
    sessionId: string
    /** Whether that session is still open: a body may arrive long after the session was read. Absent without one. */
    isSessionOpen?: () => Promise<boolean>
    /** When the session ends, milliseconds; null without one. */
    expiresAt: number | null
    /** When the member last signed in or confirmed it, milliseconds; 0 without a session. */
    authenticatedAt: number
    /** How. */
    provedBy: import('#features/auth/sessions/sessions.server.ts').ProvedBy
    /** State of a form for the page that its endpoint renders (features/auth/flash.http.ts). */
    flash?: import('#features/auth/flash-cookie.ts').FlashState
    /** What the frame shows of the member, read before the page's data: the page includes all events up to its `live`. */
    frame?: import('#features/account/frame-member.server.ts').FrameMember | null
  }
}
