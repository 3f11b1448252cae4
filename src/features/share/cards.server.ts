import { LRUCache } from 'lru-cache'
import type { QueueOwner } from '#features/photos/decode/network-queue.ts'
import { renderState, sharp } from '#features/photos/render/sharp.server.ts'
import { renderBreedCard } from './breed-card.server.ts'
import { CardQueue } from './card-queue.server.ts'
import { renderDogCard, renderStickerCard } from './dog-card.server.ts'
import { cardVersion } from './card-data.server.ts'
import { renderMemberCard } from './member-card.server.ts'
import { renderSiteCard } from './site-card.server.ts'
import { CARD, type CardData, STICKER } from './share.ts'

/** A shared link is requested a few times at once and then rarely: some eighty pictures, however many dogs there are. */
const CACHE_MAX_BYTES = 8 * 1024 * 1024
/** JPEG qualities, tried in order until the picture is small enough. */
const QUALITIES = [84, 74, 62, 48, 34]

const cachedCards = new LRUCache<string, Buffer>({ maxSize: CACHE_MAX_BYTES, sizeCalculation: (jpeg) => jpeg.length })
const inFlight = new Map<string, Promise<Buffer>>()
const queue = new CardQueue()

/** Number of cards that wait to be rendered. */
export const countWaitingCards = (): number => queue.waiting

const renderSvg = (data: CardData, dataDir: string): Promise<string> => {
  if (data.kind === 'raza') return renderBreedCard(data, dataDir)
  if (data.kind === 'miembro') return renderMemberCard(data, dataDir)
  if (data.kind === 'sitio') return renderSiteCard()
  return data.kind === 'cromo' ? renderStickerCard(data, dataDir) : renderDogCard(data, dataDir)
}

/** Renders a card as JPEG in the size of its kind, and within `maxBytes` where a quality allows it. */
export async function renderCard(data: CardData, dataDir: string): Promise<Buffer> {
  const { width, height, maxBytes } = data.kind === 'cromo' ? STICKER : CARD
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`
  const svg = Buffer.from(`${open}${await renderSvg(data, dataDir)}</svg>`)
  const { data: pixels, info } = await sharp(svg).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let jpeg = pixels
  for (const quality of QUALITIES) {
    jpeg = await sharp(pixels, { raw: info })
      .jpeg({ quality, chromaSubsampling: quality > 70 ? '4:4:4' : '4:2:0' })
      .toBuffer()
    if (jpeg.length <= maxBytes) break
  }
  return jpeg
}

const cacheKey = (data: CardData, dataDir: string) => `${dataDir} ${data.kind} ${cardVersion(data)}`

/** Whether the card is in the memory cache. */
export const isCardCached = (data: CardData, dataDir: string): boolean =>
  cachedCards.get(cacheKey(data, dataDir)) !== undefined

/**
 * Returns the card's JPEG, rendered at the first request and then cached (LRU). Concurrent requests share one render. Cards
 * are rendered one at a time, and only while no request waits for a photo: no number of them occupies a second core.
 * @param owner who asks for it: networks take turns
 * @throws RenderQueueFull when it is not cached, and gives way in a full queue
 */
export async function getCard(data: CardData, dataDir: string, owner?: QueueOwner): Promise<Buffer> {
  const key = cacheKey(data, dataDir)
  const cached = cachedCards.get(key)
  if (cached) return cached
  const pending = inFlight.get(key)
  if (pending) return pending
  const render = queue
    .run(() => renderState.limiter.run(() => renderCard(data, dataDir), { priority: 'prerender' }), owner)
    .then((jpeg) => {
      cachedCards.set(key, jpeg)
      return jpeg
    })
    .finally(() => inFlight.delete(key))
  inFlight.set(key, render)
  return render
}
