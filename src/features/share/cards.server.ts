import { LRUCache } from 'lru-cache'
import { LineFull } from '#features/photos/render.server.ts'
import { LINE_MAX, pictures, sharp } from '#features/photos/sharp.server.ts'
import { drawBreed } from './breed-card.server.ts'
import { drawDog, drawSticker } from './dog-card.server.ts'
import { versionOf } from './faces.server.ts'
import { drawMember } from './member-card.server.ts'
import { drawSite } from './site-card.server.ts'
import { CARD, type Face, STICKER } from './share.ts'

/** A link is asked for by a few chats at once and then rests: some eighty pictures, however many dogs there are. */
const MEMORY = 8 * 1024 * 1024
/** Tried one after another until the picture weighs what it may. */
const QUALITIES = [84, 74, 62, 48, 34]

const kept = new LRUCache<string, Buffer>({ maxSize: MEMORY, sizeCalculation: (jpeg) => jpeg.length })
const flights = new Map<string, Promise<Buffer>>()

const svgOf = (face: Face, dataDir: string): Promise<string> => {
  if (face.kind === 'raza') return drawBreed(face, dataDir)
  if (face.kind === 'miembro') return drawMember(face, dataDir)
  if (face.kind === 'sitio') return drawSite()
  return face.kind === 'cromo' ? drawSticker(face, dataDir) : drawDog(face, dataDir)
}

/** Draws a face anew: JPEG of the kind's size, no heavier than the kind may be. */
export async function drawCard(face: Face, dataDir: string): Promise<Buffer> {
  const { width, height, most } = face.kind === 'cromo' ? STICKER : CARD
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`
  const svg = Buffer.from(`${open}${await svgOf(face, dataDir)}</svg>`)
  const { data, info } = await sharp(svg).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let jpeg = data
  for (const quality of QUALITIES) {
    jpeg = await sharp(data, { raw: info })
      .jpeg({ quality, chromaSubsampling: quality > 70 ? '4:4:4' : '4:2:0' })
      .toBuffer()
    if (jpeg.length <= most) break
  }
  return jpeg
}

const keyOf = (face: Face, dataDir: string) => `${dataDir} ${face.kind} ${versionOf(face)}`

/** True while the picture of a face is in memory. */
export const isDrawn = (face: Face, dataDir: string): boolean => kept.get(keyOf(face, dataDir)) !== undefined

/**
 * The picture of a face, drawn the first time it is asked for and kept in memory while it is asked for; however many ask at
 * once, it is drawn once, and it takes its turn with the renders of photos.
 * @throws LineFull when it would have to be drawn and too many are waiting
 */
export async function cardOf(face: Face, dataDir: string): Promise<Buffer> {
  const key = keyOf(face, dataDir)
  const known = kept.get(key)
  if (known) return known
  const under = flights.get(key)
  if (under) return under
  if (pictures.room.waiting >= LINE_MAX) throw new LineFull()
  const flight = pictures.room
    .run(() => drawCard(face, dataDir))
    .then((jpeg) => {
      kept.set(key, jpeg)
      return jpeg
    })
    .finally(() => flights.delete(key))
  flights.set(key, flight)
  return flight
}
