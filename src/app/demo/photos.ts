import sharp from 'sharp'
import { drawPortrait, SCENES } from '#features/breeds/portrait/index.ts'
import { preparePhoto, storePhoto } from '#features/photos/photos.server.ts'
import type { DemoDog } from './dogs.ts'

/** Pictures that are rendered at once: librsvg takes a thread for each, and the machine may be small. */
const CONCURRENT_RENDERS = 2

/**
 * Renders a dog's photos and stores them as uploads are stored. Each shows the same dog in another scene.
 * @returns stored photos in order
 */
async function renderDogPhotos(dataDir: string, dog: DemoDog) {
  const stored = []
  for (let index = 0; index < dog.photos; index++) {
    const scene = SCENES[((dog.popularity * 1e6 + index * 5) % SCENES.length) | 0]!
    const svg = drawPortrait(dog.facts, { individual: dog.id, ground: scene, size: 800 })
    const png = await sharp(Buffer.from(svg)).png({ compressionLevel: 1 }).toBuffer()
    stored.push(await storePhoto(dataDir, dog.id, await preparePhoto(png)))
  }
  return stored
}

/** Renders the photos of all dogs, a few dogs at once. @param onProgress receives the number of dogs that are done */
export async function renderAllPhotos(dataDir: string, dogs: DemoDog[], onProgress: (done: number) => void) {
  const photos = new Map<string, Awaited<ReturnType<typeof renderDogPhotos>>>()
  let next = 0
  const work = async () => {
    for (let dog = dogs[next++]; dog; dog = dogs[next++]) {
      photos.set(dog.id, await renderDogPhotos(dataDir, dog))
      onProgress(photos.size)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_RENDERS }, work))
  return photos
}
