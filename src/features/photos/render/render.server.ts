import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findStorageFailure } from '#lib/storage-failure.ts'
import { photoFile, rendersFolder, writeFileAtomically } from '#features/photos/files.server.ts'
import { type Box, BOXES } from '#features/photos/photos.ts'
import type { RenderPriority } from './concurrency-limiter.ts'
import { MAX_WAITING_RENDERS, renderState, sharp } from './sharp.server.ts'
import { isIntactImage } from './image-integrity.ts'

export type Format = 'avif' | 'webp' | 'jpeg'

/** One of the pictures that may be asked for of a photo. */
export interface Render {
  box: Box
  scale: 1 | 2
}

/** Boxes that show the photo whole; the others are filled by its middle. */
const UNCROPPED_BOXES: readonly Box[] = ['carousel']

/**
 * AVIF at effort 0 takes 25 to 60 ms a picture, half as much again as WebP, and is 20 to 35 % smaller at the same
 * likeness; from effort 1 up it takes 3 to 70 times as long for 1 % (bench/photos.ts). Its quality scale sits about
 * 15 below JPEG's, which docs/product.md §24.2 counts in.
 */
const encoders: Record<Format, (image: ReturnType<typeof sharp>, quality: number) => ReturnType<typeof sharp>> = {
  avif: (image, quality) => image.avif({ quality: quality - 15, effort: 0 }),
  webp: (image, quality) => image.webp({ quality, effort: 2 }),
  jpeg: (image, quality) => image.jpeg({ quality }),
}

/** Thrown where too many wait already. */
export class RenderQueueFull extends Error {}

function renderPicture(source: Buffer, { box, scale }: Render, format: Format): Promise<Buffer> {
  renderState.renderedCount++
  const { width, height, quality } = BOXES[box]
  const image = sharp(source, { failOn: 'error' }).resize(width * scale, height * scale, {
    fit: UNCROPPED_BOXES.includes(box) ? 'inside' : 'cover',
    withoutEnlargement: true,
  })
  return encoders[format](image, quality).toBuffer()
}

/**
 * A render of the photo `name`, made the first time it is asked for and read from `DATA_DIR/cache` afterwards; however
 * many ask at once, it is made once. Null when the photo is gone or cannot be read.
 * @param line whether anybody waits for it; what is made ahead gives way to what is
 * @throws LineFull when it would have to be made and too many are waiting
 */
export function renderPhoto(
  dataDir: string,
  name: string,
  render: Render,
  format: Format,
  line: RenderPriority = 'now',
): Promise<Buffer | null> {
  const file = join(rendersFolder(dataDir, name), `${render.box}@${render.scale}x.${format}`)
  const { inFlight, limiter } = renderState
  const under = inFlight.get(file)
  if (under) {
    if (line === 'now') limiter.promote(file)
    return under
  }
  const flight = findOrRender(dataDir, name, file, render, format, line).finally(() => inFlight.delete(file))
  inFlight.set(file, flight)
  return flight
}

async function findOrRender(
  dataDir: string,
  name: string,
  file: string,
  render: Render,
  format: Format,
  line: RenderPriority,
) {
  const kept = await readFile(file).catch(() => null)
  // A power cut leaves files that were not waited for empty, short or full of zeros: such a one is made again.
  if (kept && isIntactImage(kept, format)) return kept
  if (line === 'now' && renderState.limiter.waiting >= MAX_WAITING_RENDERS) throw new RenderQueueFull()
  const photo = photoFile(dataDir, name)
  // The photo is read when its turn comes, so that those who wait hold no bytes.
  return renderState.limiter.run(
    async () => {
      const source = await readFile(photo).catch(() => null)
      if (!source) return null
      try {
        const picture = await renderPicture(source, render, format)
        await storeRender(photo, file, rendersFolder(dataDir, name), picture)
        return picture
      } catch (error) {
        console.error(`Photo ${name} cannot be rendered:`, error)
        return null
      }
    },
    { line, key: file },
  )
}

/** Keeps the picture for next time. A full disk costs only that; a photo removed meanwhile takes it along, folder and all. */
async function storeRender(photo: string, file: string, folder: string, picture: Buffer): Promise<void> {
  const failure = await writeFileAtomically(file, picture).then(
    () => null,
    (error: unknown) => ({ error }),
  )
  const lost = await stat(photo).then(
    () => false,
    () => true,
  )
  if (lost) await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  else if (failure) console.error(...storeFailureLog(failure.error))
}

/** One line for what the disk says, since a full one says it for every picture; the error itself for anything else. */
const storeFailureLog = (error: unknown): unknown[] =>
  findStorageFailure(error)
    ? [`perrario · una foto reducida no se pudo guardar (${(error as { code: string }).code})`]
    : ['A rendered photo cannot be kept:', error]
