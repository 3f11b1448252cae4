import { createHmac } from 'node:crypto'
import breedKeys from '#data/dog-breed-keys.json' with { type: 'json' }
import { MIXED_SLUG, normaliseBreed } from '#features/breeds/breeds.ts'
import { breedNames } from '#features/breeds/catalogue.server.ts'
import { loadSiteKey } from '#features/storage/site-key.server.ts'

/** Breeds that people meet. */
const wellKnown: ReadonlySet<string> = new Set(
  [...Object.values(breedKeys.mappings), ...Object.values(breedKeys.subbreeds)].map(normaliseBreed),
)
/** The mixed breed has neither size nor origin of its own. */
export const allSlugs: readonly string[] = breedNames.map(({ slug }) => slug).filter((slug) => slug !== MIXED_SLUG)
export const wellKnownSlugs: readonly string[] = allSlugs.filter((slug) => wellKnown.has(slug))

/**
 * Draws the breed of a day: a well-known one while there are any.
 * @param taken the breeds of the days around, which it must not repeat
 */
export function drawBreed(dataDir: string, day: string, taken: ReadonlySet<string>): string {
  const free = [wellKnownSlugs, allSlugs].map((slugs) => slugs.filter((slug) => !taken.has(slug)))
  const candidates = free.find((slugs) => slugs.length > 0) ?? wellKnownSlugs
  // Of 48 bits: no breed is likelier than another by more than one in a hundred million.
  const number = createHmac('sha256', loadSiteKey(dataDir)).update(day).digest().readUIntBE(0, 6)
  return candidates[number % candidates.length]!
}
