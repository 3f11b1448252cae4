import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import breedKeys from '#data/dog-breed-keys.json' with { type: 'json' }
import { MIXED_SLUG, normaliseBreed } from '#features/breeds/breeds.ts'
import { breedNames } from '#features/breeds/catalogue.server.ts'
import { loadSecretKey } from '#features/storage/secret-file.server.ts'

const KEY_FILE = 'riddle.key'
const KEY_BYTES = 32

/** Breeds that people meet. */
const wellKnown: ReadonlySet<string> = new Set(
  [...Object.values(breedKeys.mappings), ...Object.values(breedKeys.subbreeds)].map(normaliseBreed),
)
/** The mixed breed has neither size nor origin of its own. */
export const allSlugs: readonly string[] = breedNames.map(({ slug }) => slug).filter((slug) => slug !== MIXED_SLUG)
export const wellKnownSlugs: readonly string[] = allSlugs.filter((slug) => wellKnown.has(slug))

/**
 * The key that riddles are drawn with: of the file in `dataDir`, which is written first where there is none. With a file that holds no key,
 * each draw has a key of its own: what was drawn is stored, so that nothing depends on it later.
 */
function readKey(dataDir: string): KeyObject {
  const key = loadSecretKey(dataDir, KEY_FILE, (text) => console.error(`perrario · ${text}`))
  return createSecretKey(key ?? randomBytes(KEY_BYTES))
}

let lastKey: { dataDir: string; key: KeyObject } | undefined

/**
 * The same key, read once, at the start: what is not stored must be computed alike as long as the process runs. As a key object, since
 * Node takes five times as long for an HMAC whose key is a buffer.
 */
export function riddleKey(dataDir: string): KeyObject {
  if (lastKey?.dataDir !== dataDir) lastKey = { dataDir, key: readKey(dataDir) }
  return lastKey.key
}

/**
 * The same key for what else must be drawn alike for ever: before `riddleKey` has read it, as in the operator's commands, one of the process.
 */
export const siteKey = (): KeyObject => (lastKey ??= { dataDir: '', key: createSecretKey(randomBytes(KEY_BYTES)) }).key

/**
 * Draws the breed of a day: a well-known one while there are any.
 * @param taken the breeds of the days around, which it must not repeat
 */
export function drawBreed(dataDir: string, day: string, taken: ReadonlySet<string>): string {
  const free = [wellKnownSlugs, allSlugs].map((slugs) => slugs.filter((slug) => !taken.has(slug)))
  const candidates = free.find((slugs) => slugs.length > 0) ?? wellKnownSlugs
  // Of 48 bits: no breed is likelier than another by more than one in a hundred million.
  const number = createHmac('sha256', readKey(dataDir)).update(day).digest().readUIntBE(0, 6)
  return candidates[number % candidates.length]!
}
