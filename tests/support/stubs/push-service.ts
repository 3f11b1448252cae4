import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { PushMessage } from '#features/notifications/push/push.ts'
import type { SubscriptionInput } from '#features/notifications/push/push-input.ts'
import { startStubServer, type StubServer } from './stub-server.ts'

export interface ReceivedPush {
  /** Which device: the last part of its address. */
  device: string
  message: PushMessage
  headers: Record<string, string | string[] | undefined>
  /** What the sender's signed token says. */
  vapid: { aud: string; sub: string; exp: number; key: string }
  bytes: number
}

/** What it answers: a status with headers; null: it never does. */
export type PushAnswer = { status: number; headers?: Record<string, string> } | null

/** Its `host` is an entry of PUSH_HOSTS. */
export interface PushStub extends StubServer {
  /** What arrived and could be decrypted and verified, oldest first. */
  received: ReceivedPush[]
  /** Requests that came, whatever was answered. */
  requests: number
  /** Answers of a device in order; the last one stays. Without any: 201. */
  answers: Record<string, PushAnswer[]>
  /** A browser that asked for notices: what its `PushSubscription.toJSON()` gives. */
  device: (name: string) => SubscriptionInput
  /** Waits until so many have arrived in all. */
  waitForPushes: (count: number) => Promise<ReceivedPush[]>
}

/** A push service that keeps to RFC 8030, 8188, 8291 and 8292: only what is encrypted for the device and signed counts. */
export async function startPushStub(): Promise<PushStub> {
  const devices = new Map<string, { pair: ReturnType<typeof createECDH>; auth: Buffer }>()
  const server = await startStubServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const name = request.url!.split('/').at(-1)!
    stub.requests++
    const answers = stub.answers[name] ?? []
    const answer = answers.length > 1 ? answers.shift()! : answers.length === 1 ? answers[0]! : { status: 201 }
    if (!answer) return
    if (answer.status === 201) {
      const body = Buffer.concat(chunks)
      const { pair, auth } = devices.get(name)!
      stub.received.push({
        device: name,
        message: JSON.parse(decrypt(body, pair, auth)),
        headers: request.headers,
        vapid: readVapid(String(request.headers.authorization)),
        bytes: body.length,
      })
    }
    response.writeHead(answer.status, answer.headers).end(answer.status === 201 ? '' : 'lo que dice el servicio')
  })
  const stub: PushStub = {
    ...server,
    received: [],
    requests: 0,
    answers: {},
    device(name) {
      const pair = createECDH('prime256v1')
      pair.generateKeys()
      const auth = randomBytes(16)
      devices.set(name, { pair, auth })
      const keys = { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') }
      return { endpoint: `${server.url}/push/${name}`, keys }
    },
    async waitForPushes(count) {
      const end = Date.now() + 20_000
      while (stub.received.length < count) {
        if (Date.now() > end) throw new Error(`waited for ${count} pushes, ${stub.received.length} came`)
        await new Promise((done) => setTimeout(done, 20))
      }
      return stub.received
    },
  }
  return stub
}

const derive = (salt: Buffer, key: Buffer, info: Buffer | string, length: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length))

/** RFC 8291 as the browser does it, written from the RFC and not with the sender's library. */
function decrypt(body: Buffer, pair: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const idLength = body[20]!
  const senderKey = body.subarray(21, 21 + idLength)
  const sealed = body.subarray(21 + idLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), senderKey])
  const secret = derive(auth, pair.computeSecret(senderKey), info, 32)
  const key = derive(salt, secret, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(salt, secret, 'Content-Encoding: nonce\0', 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')
}

/** RFC 8292: throws unless the token is signed with the key it comes with. */
function readVapid(authorization: string): ReceivedPush['vapid'] {
  const [, token, key] = /^vapid t=([\w.-]+),\s*k=([\w-]+)$/.exec(authorization)!
  const [head, claims, signature] = token!.split('.')
  const point = Buffer.from(key!, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  const ofKey = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', signed, ofKey, Buffer.from(signature!, 'base64url')))
    throw new Error('a token that its key did not sign')
  return { ...JSON.parse(Buffer.from(claims!, 'base64url').toString()), key: key! }
}
