import { createECDH, randomBytes } from 'node:crypto'
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'

/** The pair that says to push services who sends (VAPID), base64url. */
export interface PushKeys {
  publicKey: string
  privateKey: string
}

const KEY_FILE = 'push-keys.json'
const keysSchema = z.object({
  publicKey: z.string().check(z.regex(/^[\w-]{87}$/)),
  privateKey: z.string().check(z.regex(/^[\w-]{43}$/)),
})

/**
 * The keys in `dataDir`, made where there are none. They stay the same for good: browsers tie their devices to them.
 * @throws Error for a file that cannot be read or holds no pair; it is left as it is
 */
export function readPushKeys(dataDir: string): PushKeys {
  const file = join(dataDir, KEY_FILE)
  const known = readFileOrNull(file) ?? createKeyFile(dataDir, file)
  let value: unknown
  try {
    value = JSON.parse(known)
  } catch {
    throw new Error(`${KEY_FILE} no es JSON`)
  }
  const { success, data } = keysSchema.safeParse(value)
  if (!success || publicKeyOf(data.privateKey) !== data.publicKey)
    throw new Error(`${KEY_FILE} no guarda un par de claves`)
  // For the operator's eyes only, wherever it was copied from.
  chmodSync(file, 0o600)
  return data
}

function readFileOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Whole or not at all, and never over a file that somebody else has made meanwhile. */
function createKeyFile(dataDir: string, file: string): string {
  const draft = join(dataDir, `.${KEY_FILE}-${randomBytes(6).toString('hex')}`)
  writeFileSync(draft, `${JSON.stringify(generateKeys(), null, 2)}\n`, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file, 'utf8')
}

function generateKeys(): PushKeys {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  // One in 256 private keys begins with a zero byte, which Node leaves out.
  const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') }
}

function publicKeyOf(privateKey: string): string | null {
  try {
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(privateKey, 'base64url')
    return pair.getPublicKey('base64url')
  } catch {
    return null
  }
}
