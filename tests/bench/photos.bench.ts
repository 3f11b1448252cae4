/**
 * A 12-megapixel phone photo stored and its cover rendered, beside the same steps in bare sharp; then what a render costs
 * in each format and what memory stays; then an upload beside hostile pictures, and alone. Alone: npm run bench -- photos
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { preparePhoto } from '#features/photos/photos.server.ts'
import { type Format, renderPhoto } from '#features/photos/render/render.server.ts'
import { PhotosOfDog } from '#tests/support/photos/photos-of-dog.ts'
import { phonePhoto } from '#tests/support/photos/test-pictures.ts'
import { printTable } from '#tests/support/load/measure.ts'
import { measureUploadsUnderAttack } from '#tests/support/load/uploads-under-attack.ts'

const ROUNDS = 15
const dir = mkdtempSync(join(tmpdir(), 'perrario-bench-'))
const photos = await PhotosOfDog.open(dir)

const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1]!
const ms = (time: number) => `${time.toFixed(1)} ms`

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const COVER = {
  avif: (image: Sharp) => image.avif({ quality: 80, effort: 0 }),
  webp: (image: Sharp) => image.webp({ quality: 95, effort: 2 }),
  jpeg: (image: Sharp) => image.jpeg({ quality: 95 }),
}

/** The least that the same result takes: shrink on load, upright, two encodes, two files. */
async function storeWithBareSharp(bytes: Buffer, format: Format): Promise<void> {
  const photo = await sharp(bytes)
    .autoOrient()
    .resize(800, 800, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 88 })
    .toBuffer()
  const file = join(dir, `${crypto.randomUUID()}.jpg`)
  await writeFile(file, photo)
  const cover = sharp(await readFile(file)).resize(300, 300, { fit: 'cover', withoutEnlargement: true })
  await writeFile(`${file}.${format}`, await COVER[format](cover).toBuffer())
}

async function storeAndRender(bytes: Buffer, format: Format): Promise<void> {
  const url = await photos.store(await preparePhoto(bytes))
  await renderPhoto(dir, url.slice('/photos/'.length), { box: 'card', scale: 1 }, format)
}

/** Prints the figures of photos; asserts nothing. */
async function benchPhotos(): Promise<void> {
  const bytes = await phonePhoto()
  console.log(
    `12-megapixel photo of ${(bytes.length / 1e6).toFixed(1)} MB, stored and its cover rendered (median of ${ROUNDS})`,
  )
  for (const format of ['avif', 'webp', 'jpeg'] as const) {
    const [mine, sharps]: [number[], number[]] = [[], []]
    await storeWithBareSharp(bytes, format)
    await storeAndRender(bytes, format)
    // Turn about, so that whatever else the machine does falls on both.
    for (let round = 0; round < ROUNDS; round++) {
      mine.push(await measureMs(() => storeAndRender(bytes, format)))
      sharps.push(await measureMs(() => storeWithBareSharp(bytes, format)))
    }
    const ratio = (median(mine) / median(sharps)).toFixed(2)
    console.log(`  ${format}  perrario ${ms(median(mine))}   bare sharp ${ms(median(sharps))}   ratio ${ratio}`)
  }
  const url = await photos.store(await preparePhoto(bytes))
  const name = url.slice('/photos/'.length)
  for (const format of ['avif', 'webp', 'jpeg'] as const)
    for (const box of ['card', 'carousel'] as const) {
      let size = 0
      const first = await measureMs(
        async () => (size = (await renderPhoto(dir, name, { box, scale: 1 }, format))!.length),
      )
      const later = await measureMs(() => renderPhoto(dir, name, { box, scale: 1 }, format))
      console.log(`  ${box} ${format}: ${(size / 1000).toFixed(1)} kB, first ${ms(first)}, from disk ${ms(later)}`)
    }
  await Promise.all(Array.from({ length: 40 }, () => storeAndRender(bytes, 'avif')))
  console.log(`  resident after 40 at once: ${Math.round(process.memoryUsage().rss / 1e6)} MB`)
}

/** What another's upload takes while hostile pictures come in without pause. */
async function benchUnderAttack(): Promise<void> {
  const { uploads, hostile, peak, failures } = await measureUploadsUnderAttack()
  const sent = Object.entries(hostile).map(([status, count]) => `${count} answered ${status}`)
  console.log(`\nan upload beside hostile pictures, four at once (${sent.join(', ')})\n`)
  printTable(
    ['upload', 'alone ms', 'beside ms', 'p99 alone', 'p99 beside', 'ratio'],
    uploads.map(({ name, alone, beside, ratio }) => [
      name,
      alone.median,
      beside.median,
      alone.p99,
      beside.p99,
      ratio.toFixed(2),
    ]),
  )
  console.log(`\n  all processes took ${Math.round(peak / 2 ** 20)} MB above rest at most`)
  for (const line of failures) console.log(`  ${line}`)
}

try {
  await benchPhotos()
  await benchUnderAttack()
} finally {
  rmSync(dir, { recursive: true })
}
