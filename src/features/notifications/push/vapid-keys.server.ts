import { createECDH } from 'node:crypto'
import * as z from 'zod/mini'
import type { Db } from '#db/client.ts'
import { isSharedByNodes } from '#db/dialect/dialect.ts'
import { transact } from '#db/transact.ts'
import { createSecretFile, readSecretFile } from '#features/storage/secret-file.server.ts'

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

/** The one row of `push_keys`. */
const KEY_ID = 1

/**
 * The keys of the site: those of the file in `dataDir`, and where nodes share the database, those in it. The first node that starts
 * stores its file's there; without a file the keys are generated. They never change, because subscriptions are bound to them.
 * @param warn called with the Spanish sentence that the file has other keys, which are not used
 * @throws Error for a file that cannot be read or has no valid pair; the file is left as it is
 */
export async function loadPushKeys(db: Db, dataDir: string, warn: (text: string) => void): Promise<PushKeys> {
  const stored = await findStoredKeys(db)
  // The row is there in SQLite where the data comes from PostgreSQL.
  if (!isSharedByNodes(db)) return readPushKeys(dataDir, () => stored ?? generatePushKeys())
  const keys = stored ?? (await storeKeys(db, readKeyFile(dataDir) ?? generatePushKeys()))
  if (hasOtherKeys(dataDir, keys)) warn(`${KEY_FILE} no es el par de claves de la base de datos, y no se usa`)
  return keys
}

async function findStoredKeys(db: Db): Promise<PushKeys | undefined> {
  const columns = ['public_key as publicKey', 'private_key as privateKey'] as const
  return db.selectFrom('push_keys').select(columns).where('id', '=', KEY_ID).executeTakeFirst()
}

/** Stores keys unless another node was first. @returns those that are stored */
async function storeKeys(db: Db, { publicKey, privateKey }: PushKeys): Promise<PushKeys> {
  await transact(db, (trx) =>
    trx
      .insertInto('push_keys')
      .values({ id: KEY_ID, public_key: publicKey, private_key: privateKey })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
  const stored = await findStoredKeys(db)
  if (!stored) throw new Error('las claves no se pudieron guardar')
  return stored
}

function hasOtherKeys(dataDir: string, { publicKey }: PushKeys): boolean {
  try {
    return (readKeyFile(dataDir)?.publicKey ?? publicKey) !== publicKey
  } catch {
    return true
  }
}

/**
 * Reads the keys in `dataDir`, and writes those of `create` first where there are none.
 * @throws as `loadPushKeys`
 */
export const readPushKeys = (dataDir: string, create = generatePushKeys): PushKeys =>
  readKeyFile(dataDir) ?? createKeyFile(dataDir, create())

function readKeyFile(dataDir: string): PushKeys | null {
  const content = readSecretFile(dataDir, KEY_FILE)
  return content === null ? null : parseKeys(content)
}

function parseKeys(content: string): PushKeys {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    throw new Error(`${KEY_FILE} no es JSON`)
  }
  const { success, data } = keysSchema.safeParse(value)
  if (!success || publicKeyOf(data.privateKey) !== data.publicKey)
    throw new Error(`${KEY_FILE} no guarda un par de claves`)
  return data
}

const createKeyFile = (dataDir: string, keys: PushKeys): PushKeys =>
  parseKeys(createSecretFile(dataDir, KEY_FILE, `${JSON.stringify(keys, null, 2)}\n`))

/** A new key pair. */
export function generatePushKeys(): PushKeys {
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
