import * as z from 'zod/mini'
import { ENDPOINT_LIMIT } from '#lib/push-hosts.ts'

/** What a device is told, encrypted on its way: the service worker reads it (pwa/worker/push.client.ts). */
export interface PushMessage {
  title: string
  body: string
  /** The page it leads to. */
  path: string
  /** A later message with the same tag takes the place of this one. */
  tag: string
}

/** `GET /api/push` */
export interface PushState {
  /** The server's public key, which browsers ask for; null where the server sends nothing. */
  key: string | null
  /** The address of the device that this session turned on. */
  endpoint: string | null
}

/** How many devices a member may have; the one turned on longest ago makes room. */
export const DEVICES_MAX = 10

export const PUSH_TEXTS = {
  wrong: 'Este navegador no ha dado una dirección de avisos válida.',
  host: 'Este navegador usa un servicio de avisos que no conocemos.',
  off: 'Este sitio no envía avisos a dispositivos.',
} as const

const base64url = (length: number) =>
  z.pipe(
    z.string(PUSH_TEXTS.wrong).check(z.maxLength(200, PUSH_TEXTS.wrong)),
    z.pipe(
      z.transform((text: string) => text.replace(/=+$/, '')),
      z.string().check(z.regex(new RegExp(`^[\\w-]{${length}}$`), PUSH_TEXTS.wrong)),
    ),
  )

/** What `PushSubscription.toJSON()` gives: 65 bytes of a public key, 16 of a secret. */
export const subscriptionInput = z.object({
  endpoint: z.string(PUSH_TEXTS.wrong).check(z.maxLength(ENDPOINT_LIMIT, PUSH_TEXTS.wrong)),
  keys: z.object({ p256dh: base64url(87), auth: base64url(22) }, PUSH_TEXTS.wrong),
})
export type SubscriptionInput = z.output<typeof subscriptionInput>
