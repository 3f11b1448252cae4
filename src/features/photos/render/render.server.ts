import { join } from 'node:path'
import type { Sharp } from 'sharp'
import { deleteRenders, rendersFolder } from '#features/photos/files.server.ts'
import { countWaitingReads, readOriginal } from '#features/photos/original.server.ts'
import { type Box, BOXES } from '#features/photos/photos.ts'
import { isPhotoPublic } from '#features/photos/visibility.server.ts'
import { photoStore } from '#features/storage/photo-store.server.ts'
import type { RenderPriority } from './concurrency-limiter.ts'
import { readRender, writeRender } from './render-cache.server.ts'
import { loadSharp, MAX_WAITING_RENDERS, RenderQueueFull, renderState } from './sharp.server.ts'
import { isIntactImage } from './image-integrity.ts'

export type Format = 'avif' | 'webp' | 'jpeg'

/** One of the renders that may be requested of a photo. */
export interface Render {
  box: Box
  scale: 1 | 2
}

/** Boxes that show the whole photo; the others are filled by its middle. */
const UNCROPPED_BOXES: readonly Box[] = ['carousel']

/**
 * AVIF at effort 0 takes 25 to 60 ms a picture, half as much again as WebP, and is 20 to 35 % smaller at the same
 * similarity; from effort 1 up it takes 3 to 70 times as long for 1 % (tests/bench/photos.bench.ts). Its quality scale is about
 * 15 below JPEG's, in which docs/product.md §24.2 is written.
 */
const encoders: Record<Format, (image: Sharp, quality: number) => Sharp> = {
  avif: (image, quality) => image.avif({ quality: quality - 15, effort: 0 }),
  webp: (image, quality) => image.webp({ quality, effort: 2 }),
  jpeg: (image, quality) => image.jpeg({ quality }),
}

export { RenderQueueFull }

/** Thrown where the requester has had too many renders made. */
export class RenderQuotaSpent extends Error {}

export interface RenderRequest {
  /** `prerender` yields to requests. */
  priority?: RenderPriority
  /** Takes a render from what the requester may have made; false where nothing is left. Stored renders are not counted. */
  consumeQuota?: () => Promise<boolean>
}

async function renderPicture(source: Buffer, { box, scale }: Render, format: Format): Promise<Buffer> {
  renderState.renderedCount++
  const { width, height, quality } = BOXES[box]
  const sharp = await loadSharp()
  const image = sharp(source, { failOn: 'error' }).resize(width * scale, height * scale, {
    fit: UNCROPPED_BOXES.includes(box) ? 'inside' : 'cover',
    withoutEnlargement: true,
  })
  return encoders[format](image, quality).toBuffer()
}

/**
 * A render of the photo `name`, created on the first request and read from `DATA_DIR/cache` afterwards, where the limits let it
 * be stored. Concurrent requests share one render. Null when the photo is gone or cannot be read.
 * @throws RenderQueueFull, RenderQuotaSpent when it would have to be rendered and too many requests wait, or the requester has no
 *   quota left
 */
export function renderPhoto(
  dataDir: string,
  name: string,
  render: Render,
  format: Format,
  request: RenderRequest = {},
): Promise<Buffer | null> {
  const file = join(rendersFolder(dataDir, name), `${render.box}@${render.scale}x.${format}`)
  const { inFlight } = renderState
  // A request waits for no prerender, which yields to other requests.
  const key = `${file} ${request.priority === 'prerender'}`
  const running = inFlight.get(key)
  if (running) return running
  const started = findOrRender(dataDir, name, file, render, format, request).finally(() => inFlight.delete(key))
  inFlight.set(key, started)
  return started
}

async function findOrRender(
  dataDir: string,
  name: string,
  file: string,
  render: Render,
  format: Format,
  { priority = 'request', consumeQuota }: RenderRequest,
) {
  const stored = await readRender(file)
  // Renders are written without fdatasync: a power cut leaves them empty, short or zeroed. Such a one is rendered again.
  if (stored && isIntactImage(stored, format)) return stored
  const assertQueueSpace = () => {
    const waiting = renderState.limiter.waiting + countWaitingReads()
    if (priority === 'request' && waiting >= MAX_WAITING_RENDERS) throw new RenderQueueFull()
  }
  // Before, so that a full queue costs no quota, and after, since others may have joined it meanwhile.
  assertQueueSpace()
  if (consumeQuota && !(await consumeQuota())) throw new RenderQuotaSpent()
  assertQueueSpace()
  // A bucket is waited for outside of the queue, whose places are processor time.
  const remote = photoStore(dataDir).isRemote ? await readOriginal(dataDir, name) : undefined
  if (remote === null) return null
  return renderState.limiter.run(
    async () => {
      // A file is read when its turn comes, so that waiting renders hold no bytes.
      const source = remote ?? (await readOriginal(dataDir, name).catch(() => null))
      if (!source) return null
      try {
        const picture = await renderPicture(source, render, format)
        await storeRender(dataDir, name, file, picture)
        return picture
      } catch (error) {
        if (error instanceof RenderQueueFull) throw error
        console.error(`perrario · la foto ${name} no se puede preparar:`, error)
        return null
      }
    },
    { priority },
  )
}

/** Stores the render. A full disk only loses it; where the photo was removed meanwhile, its folder of renders goes too. */
async function storeRender(dataDir: string, name: string, file: string, picture: Buffer): Promise<void> {
  const failure = await writeRender(dataDir, file, picture).then(
    () => null,
    (error: unknown) => ({ error }),
  )
  if (!(await isPhotoPublic(dataDir, name))) await deleteRenders(dataDir, name)
  else if (failure) console.error('perrario · una foto reducida no se pudo guardar:', failure.error)
}
