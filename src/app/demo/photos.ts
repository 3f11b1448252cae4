import sharp from 'sharp'
import { portrait, SCENES } from '#features/breeds/portrait/index.ts'
import { preparePhoto, storePhoto } from '#features/photos/photos.server.ts'
import type { DemoDog } from './dogs.ts'

/** How many pictures are drawn at once: librsvg takes a thread each, and the machine may be small. */
const AT_ONCE = 2

/**
 * Draws a dog's photos and keeps them as uploads are kept. Each picture is another place; the dog stays the same.
 * @returns stored photos in order
 */
async function drawDog(dataDir: string, dog: DemoDog) {
  const stored = []
  for (let index = 0; index < dog.photos; index++) {
    const place = SCENES[((dog.charm * 1e6 + index * 5) % SCENES.length) | 0]!
    const svg = portrait(dog.facts, { individual: dog.id, ground: place, size: 800 })
    const png = await sharp(Buffer.from(svg)).png({ compressionLevel: 1 }).toBuffer()
    stored.push(await storePhoto(dataDir, dog.id, await preparePhoto(png)))
  }
  return stored
}

/** Draws everybody's photos, a few dogs at once; `progress` hears how many dogs are done. */
export async function drawAll(dataDir: string, dogs: DemoDog[], progress: (done: number) => void) {
  const photos = new Map<string, Awaited<ReturnType<typeof drawDog>>>()
  let next = 0
  const work = async () => {
    for (let dog = dogs[next++]; dog; dog = dogs[next++]) {
      photos.set(dog.id, await drawDog(dataDir, dog))
      progress(photos.size)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return photos
}
