import { trimEndWhile } from '#lib/text/text.ts'
import * as z from 'zod/mini'
import { ENDPOINT_MAX_CHARS } from '#lib/http/push-hosts.ts'
import { PUSH_TEXTS } from './push.ts'

const base64url = (length: number) =>
  z.pipe(
    z.string(PUSH_TEXTS.wrong).check(z.maxLength(200, PUSH_TEXTS.wrong)),
    z.pipe(
      z.transform((text: string) => trimEndWhile(text, /=/)),
      z.string().check(z.regex(new RegExp(`^[\\w-]{${length}}$`), PUSH_TEXTS.wrong)),
    ),
  )

/** The JSON of `PushSubscription.toJSON()`: a public key of 65 bytes and a secret of 16, base64url. */
export const subscriptionInput = z.object({
  endpoint: z.string(PUSH_TEXTS.wrong).check(z.maxLength(ENDPOINT_MAX_CHARS, PUSH_TEXTS.wrong)),
  keys: z.object({ p256dh: base64url(87), auth: base64url(22) }, PUSH_TEXTS.wrong),
})
export type SubscriptionInput = z.output<typeof subscriptionInput>
