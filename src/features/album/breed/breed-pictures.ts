import { LRUCache } from 'lru-cache'
import { originPicture } from '#features/breeds/figures/stamps.ts'
import { energyPicture, lifePicture } from '#features/breeds/figures/tiles.ts'

/** Characters of pictures that are cached, twice those of the catalogue. */
const MAX_CACHED_CHARS = 300_000

const pictures = new LRUCache<string, string>({
  maxSize: MAX_CACHED_CHARS,
  sizeCalculation: (picture, key) => picture.length + key.length,
})

/** Draws a tile's picture once for the same facts: many breeds share them. */
function cachedPicture(key: string, draw: () => string): string {
  let picture = pictures.get(key)
  if (picture === undefined) pictures.set(key, (picture = draw()))
  return picture
}

export const cachedLifePicture = (min: number, max: number): string =>
  cachedPicture(`life ${min} ${max}`, () => lifePicture(min, max))

export const cachedEnergyPicture = (level: string): string =>
  cachedPicture(`energy ${level}`, () => energyPicture(level))

export const cachedOriginPicture = (origin: string): string =>
  cachedPicture(`origin ${origin}`, () => originPicture(origin))
