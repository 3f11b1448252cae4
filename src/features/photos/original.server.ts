import { join } from 'node:path'
import { photoStore } from '#features/storage/photo-store.server.ts'
import { deleteRenders, formerPhotoKey, photoKey, rendersFolder } from './files.server.ts'
import { ConcurrencyLimiter } from './render/concurrency-limiter.ts'
import { isIntactImage } from './render/image-integrity.ts'
import { readRender, writeRender } from './render/render-cache.server.ts'
import { isPhotoPublic } from './visibility.server.ts'

/** Photos that are read from a bucket at the same time. */
const MAX_READS = 16
const reads = new ConcurrencyLimiter(MAX_READS)
/** Reads under way, by cached file. */
const inFlight = new Map<string, Promise<Buffer | null>>()

/** How many photos wait to be read from a bucket. */
export const countWaitingReads = (): number => reads.waiting

/**
 * The bytes of a photo; null where it is missing. One in a bucket is read once, and from then on from the cache of its renders,
 * where the limits let it be stored: a photo is rendered in many sizes, and its bucket may be unavailable.
 * @throws StoreUnavailableError for a photo that is not in the cache
 */
export function readOriginal(dataDir: string, name: string): Promise<Buffer | null> {
  const store = photoStore(dataDir)
  if (!store.isRemote) return readStored(dataDir, name)
  const file = join(rendersFolder(dataDir, name), 'original.jpg')
  const running = inFlight.get(file)
  if (running) return running
  const started = readThroughCache(dataDir, name, file).finally(() => inFlight.delete(file))
  inFlight.set(file, started)
  return started
}

const readStored = async (dataDir: string, name: string): Promise<Buffer | null> =>
  (await photoStore(dataDir).get(photoKey(name))) ?? photoStore(dataDir).get(formerPhotoKey(name))

async function readThroughCache(dataDir: string, name: string, file: string): Promise<Buffer | null> {
  const cached = await readRender(file)
  if (cached && isIntactImage(cached, 'jpeg')) return cached
  const photo = await reads.run(() => readStored(dataDir, name))
  if (!photo) return null
  await writeRender(dataDir, file, photo).catch((error: unknown) =>
    console.error('perrario · una foto no se pudo guardar en la caché:', error),
  )
  // It may have been hidden or removed meanwhile.
  if (!(await isPhotoPublic(dataDir, name))) await deleteRenders(dataDir, name)
  return photo
}
