import * as z from 'zod/mini'
import { notificationAnswer } from '#features/live/answers.ts'

// JSON answers of this feature's endpoints. Browser files import their types only.

const count = z.int().check(z.minimum(0))

/** `GET /api/notifications`: the newest of the bell, and the number of unread ones. */
export const notificationsAnswer = z.object({
  notifications: z.array(
    z.extend(notificationAnswer, {
      /** The member's own id; the stream's notifications come without it. */
      user_id: z.exactOptional(z.uuid()),
    }),
  ),
  unread: count,
})

/** The number of unread notifications after some were read. */
export const unreadAnswer = z.object({ unread: count })

/** `GET /api/push` */
export const pushStateAnswer = z.object({
  /** The server's public key (applicationServerKey); null where the server sends nothing. */
  key: z.nullable(z.string()),
  /** The endpoint of this session's subscription; null without one. */
  endpoint: z.nullable(z.url()),
})

/** `POST /api/push`: the endpoint that is now this session's. */
export const pushSubscribedAnswer = z.object({ endpoint: z.url() })
