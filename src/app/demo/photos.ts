import sharp from 'sharp'
import { drawPortrait, SCENES } from '#features/breeds/portrait/index.ts'
import { preparePhoto, storePhoto } from '#features/photos/photos.server.ts'
import type { DemoDog } from './dogs.ts'

/** How many pictures are drawn at once: librsvg takes a thread each, and the machine may be small. */
const CONCURRENT_RENDERS = 2

/**
 * Draws a dog's photos and keeps them as uploads are kept. Each picture is another place; the dog stays the same.
 * @returns stored photos in order
 */
async function renderDogPhotos(dataDir: string, dog: DemoDog) {
  const stored = []
  for (let index = 0; index < dog.photos; index++) {
    const place = SCENES[((dog.popularity * 1e6 + index * 5) % SCENES.length) | 0]!
    const svg = drawPortrait(dog.facts, { individual: dog.id, ground: place, size: 800 })
    const png = await sharp(Buffer.from(svg)).png({ compressionLevel: 1 }).toBuffer()
    stored.push(await storePhoto(dataDir, dog.id, await preparePhoto(png)))
  }
  return stored
}

/** Draws everybody's photos, a few dogs at once; `progress` hears how many dogs are done. */
export async function renderAllPhotos(dataDir: string, dogs: DemoDog[], progress: (done: number) => void) {
  const photos = new Map<string, Awaited<ReturnType<typeof renderDogPhotos>>>()
  let next = 0
  const work = async () => {
    for (let dog = dogs[next++]; dog; dog = dogs[next++]) {
      photos.set(dog.id, await renderDogPhotos(dataDir, dog))
      progress(photos.size)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_RENDERS }, work))
  return photos
}
