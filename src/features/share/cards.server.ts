import { LRUCache } from 'lru-cache'
import { RenderQueueFull } from '#features/photos/render/render.server.ts'
import { MAX_WAITING_RENDERS, renderState, sharp } from '#features/photos/render/sharp.server.ts'
import { renderBreedCard } from './breed-card.server.ts'
import { renderDogCard, renderStickerCard } from './dog-card.server.ts'
import { cardVersion } from './card-data.server.ts'
import { renderMemberCard } from './member-card.server.ts'
import { renderSiteCard } from './site-card.server.ts'
import { CARD, type CardData, STICKER } from './share.ts'

/** A link is asked for by a few chats at once and then rests: some eighty pictures, however many dogs there are. */
const CACHE_MAX_BYTES = 8 * 1024 * 1024
/** Tried one after another until the picture weighs what it may. */
const QUALITIES = [84, 74, 62, 48, 34]

const cachedCards = new LRUCache<string, Buffer>({ maxSize: CACHE_MAX_BYTES, sizeCalculation: (jpeg) => jpeg.length })
const inFlight = new Map<string, Promise<Buffer>>()

const renderSvg = (face: CardData, dataDir: string): Promise<string> => {
  if (face.kind === 'raza') return renderBreedCard(face, dataDir)
  if (face.kind === 'miembro') return renderMemberCard(face, dataDir)
  if (face.kind === 'sitio') return renderSiteCard()
  return face.kind === 'cromo' ? renderStickerCard(face, dataDir) : renderDogCard(face, dataDir)
}

/** Draws a face anew: JPEG of the kind's size, no heavier than the kind may be. */
export async function renderCard(face: CardData, dataDir: string): Promise<Buffer> {
  const { width, height, most } = face.kind === 'cromo' ? STICKER : CARD
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`
  const svg = Buffer.from(`${open}${await renderSvg(face, dataDir)}</svg>`)
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

const cacheKey = (face: CardData, dataDir: string) => `${dataDir} ${face.kind} ${cardVersion(face)}`

/** True while the picture of a face is in memory. */
export const isCardCached = (face: CardData, dataDir: string): boolean =>
  cachedCards.get(cacheKey(face, dataDir)) !== undefined

/**
 * The picture of a face, drawn the first time it is asked for and kept in memory while it is asked for; however many ask at
 * once, it is drawn once, and it takes its turn with the renders of photos.
 * @throws LineFull when it would have to be drawn and too many are waiting
 */
export async function getCard(face: CardData, dataDir: string): Promise<Buffer> {
  const key = cacheKey(face, dataDir)
  const known = cachedCards.get(key)
  if (known) return known
  const under = inFlight.get(key)
  if (under) return under
  if (renderState.limiter.waiting >= MAX_WAITING_RENDERS) throw new RenderQueueFull()
  const flight = renderState.limiter
    .run(() => renderCard(face, dataDir))
    .then((jpeg) => {
      cachedCards.set(key, jpeg)
      return jpeg
    })
    .finally(() => inFlight.delete(key))
  inFlight.set(key, flight)
  return flight
}
