import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

// An authenticator in software: ES256 keys, attestation «none» (WebAuthn §6, §8.7), as a browser passes its answers on as JSON.

const UP = 0x01
const UV = 0x04
const AT = 0x40

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const base64url = (data: Buffer) => data.toString('base64url')

// CBOR (RFC 8949): only what an attestation object and a COSE key need.

function cborHead(type: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(type << 5) | value])
  if (value < 256) return Buffer.from([(type << 5) | 24, value])
  return Buffer.from([(type << 5) | 25, value >> 8, value & 255])
}
const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (text: string) => Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)])
const cborMap = (...pairs: [Buffer, Buffer][]) => Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()])

/** COSE_Key of a P-256 public key (RFC 9053 §7.1.1). */
function coseKey(publicKey: KeyObject): Buffer {
  const { x, y } = publicKey.export({ format: 'jwk' })
  return cborMap(
    [cborInt(1), cborInt(2)],
    [cborInt(3), cborInt(-7)],
    [cborInt(-1), cborInt(1)],
    [cborInt(-2), cborBytes(Buffer.from(x!, 'base64url'))],
    [cborInt(-3), cborBytes(Buffer.from(y!, 'base64url'))],
  )
}

/** What a test may change of an answer. */
export interface AnswerOptions {
  origin?: string
  /** The host whose hash is signed. */
  rpId?: string
  challenge?: string
  /** Whether fingerprint, face or PIN were checked. */
  isVerified?: boolean
  counter?: number
  userHandle?: string
}

interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}
interface RequestOptions {
  challenge: string
  rpId: string
}

/** One passkey on one device. */
export class SoftwarePasskey {
  readonly id = base64url(randomBytes(32))
  userHandle = ''
  #counter = 0
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string

  /** @param origin of the page that asks */
  constructor(origin = 'http://localhost:4321') {
    this.#origin = origin
  }

  #clientData(type: string, challenge: string, origin = this.#origin): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #authData(rpId: string, flags: number, counter: number, credential: Buffer = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, credential])
  }

  /** What `navigator.credentials.create` answers to `options`. */
  create(options: object, change: AnswerOptions = {}) {
    const { challenge, rp, user } = options as CreationOptions
    this.userHandle = user.id
    const id = Buffer.from(this.id, 'base64url')
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(this.#keys.publicKey)])
    const flags = UP | AT | (change.isVerified === false ? 0 : UV)
    const authData = this.#authData(change.rpId ?? rp.id, flags, change.counter ?? this.#counter, credential)
    const attestation = cborMap(
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap()],
      [cborText('authData'), cborBytes(authData)],
    )
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key' as const,
      response: {
        clientDataJSON: base64url(this.#clientData('webauthn.create', change.challenge ?? challenge, change.origin)),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      },
    }
  }

  /** What `navigator.credentials.get` answers to `options`; each answer counts one up. */
  get(options: object, change: AnswerOptions = {}) {
    const { challenge, rpId } = options as RequestOptions
    const counter = change.counter ?? ++this.#counter
    const authData = this.#authData(change.rpId ?? rpId, UP | (change.isVerified === false ? 0 : UV), counter)
    const clientData = this.#clientData('webauthn.get', change.challenge ?? challenge, change.origin)
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#keys.privateKey)
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key' as const,
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
        userHandle: change.userHandle ?? this.userHandle,
      },
    }
  }
}
