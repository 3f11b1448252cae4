import { createECDH, randomBytes } from 'node:crypto'
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { errorCode } from '#lib/error-code.ts'

/** The key pair that identifies the sender to push services (VAPID, RFC 8292), base64url. */
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
 * Reads the keys in `dataDir`, and generates them first where there are none. They never change, because subscriptions are
 * bound to them.
 * @throws Error for a file that cannot be read or has no valid pair; the file is left as it is
 */
export function readPushKeys(dataDir: string): PushKeys {
  const file = join(dataDir, KEY_FILE)
  const content = readFileOrNull(file) ?? createKeyFile(dataDir, file)
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    throw new Error(`${KEY_FILE} no es JSON`)
  }
  const { success, data } = keysSchema.safeParse(value)
  if (!success || publicKeyOf(data.privateKey) !== data.publicKey)
    throw new Error(`${KEY_FILE} no guarda un par de claves`)
  // A copied file may have looser permissions.
  chmodSync(file, 0o600)
  return data
}

function readFileOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Creates the file atomically, and never over one that another process has created meanwhile. */
function createKeyFile(dataDir: string, file: string): string {
  const temporaryFile = join(dataDir, `.${KEY_FILE}-${randomBytes(6).toString('hex')}`)
  writeFileSync(temporaryFile, `${JSON.stringify(generateKeys(), null, 2)}\n`, { mode: 0o600 })
  try {
    linkSync(temporaryFile, file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(temporaryFile)
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
