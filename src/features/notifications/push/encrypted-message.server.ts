import { HOUR_MS } from '#lib/time.ts'
import type { PushKeys } from './vapid-keys.server.ts'

/** Push services take a signed token for up to a day (RFC 8292 §2); it is signed again after so long, ms. */
const TOKEN_REUSE_MS = 6 * HOUR_MS
/** Push services whose tokens are remembered. */
const MAX_TOKENS = 50

const tokens = new Map<string, { header: string; signedAt: number }>()

interface Target {
  endpoint: string
  keys: { p256dh: string; auth: string }
}
interface Options {
  serverKeys: PushKeys
  /** The contact for push services. */
  subject: string
  TTL: number
  topic: string
  urgency: 'normal' | 'high'
}

/** A push service's request for one device: the text encrypted (RFC 8291), the sender's token (RFC 8292), which its messages share. */
export async function encryptMessage(
  { endpoint, keys }: Target,
  text: string,
  { serverKeys, subject, ...options }: Options,
): Promise<{ method: string; headers: [string, string][]; body: Uint8Array<ArrayBuffer> }> {
  // A start does without its 30 modules.
  const { default: webpush } = await import('web-push')
  const { method, headers, body } = webpush.generateRequestDetails({ endpoint, keys }, text, options)
  const { origin } = new URL(endpoint)
  const key = `${origin} ${subject} ${serverKeys.publicKey}`
  // The token ends by the real clock.
  const now = Date.now()
  let token = tokens.get(key)
  if (!token || Math.abs(now - token.signedAt) > TOKEN_REUSE_MS) {
    const { publicKey, privateKey } = serverKeys
    const { Authorization } = webpush.getVapidHeaders(origin, subject, publicKey, privateKey, 'aes128gcm')
    if (tokens.size >= MAX_TOKENS) tokens.clear()
    tokens.set(key, (token = { header: Authorization, signedAt: now }))
  }
  return {
    method,
    headers: [
      ...Object.entries(headers)
        .filter(([name]) => name !== 'Content-Length')
        .map(([name, value]): [string, string] => [name, String(value)]),
      ['Authorization', token.header],
    ],
    body: new Uint8Array(body),
  }
}
