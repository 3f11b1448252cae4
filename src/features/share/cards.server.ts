import { LRUCache } from 'lru-cache'
import { RenderQueueFull } from '#features/photos/render/render.server.ts'
import { loadSharp, renderState } from '#features/photos/render/sharp.server.ts'
import { TurnQueue } from '#lib/turn-queue.ts'
import { renderDogCard, renderStickerCard } from './dog-card.server.ts'
import { cardVersion } from './card-data.server.ts'
import { renderMemberCard } from './member-card.server.ts'
import { renderBreedCard, renderLostListCard, renderRiddleCard, renderSiteCard } from './link-cards.server.ts'
import { renderBackground } from './svg-parts.server.ts'
import { renderYearCard } from './year-card.server.ts'
import { CARD, type CardData, STICKER } from './share.ts'

/** A shared link is requested a few times at once and then rarely: some eighty pictures, however many dogs there are. */
const CACHE_MAX_BYTES = 8 * 1024 * 1024
/** JPEG qualities, tried in order until the picture is small enough. */
const QUALITIES = [84, 74, 62, 48, 34]
/** Cards that may wait: at 30 to 110 ms each, three seconds' work of one core. */
export const MAX_WAITING = 32

/** Nobody waits for the card any more. */
export class CardWithdrawn extends Error {}

/** Creates the turns of cards. Its errors: RenderQueueFull where one is evicted for others, CardWithdrawn where it is withdrawn. */
export const createCardQueue = (): TurnQueue =>
  new TurnQueue({
    maxWaiting: MAX_WAITING,
    full: () => new RenderQueueFull(),
    withdrawn: () => new CardWithdrawn(),
  })

const cachedCards = new LRUCache<string, Buffer>({ maxSize: CACHE_MAX_BYTES, sizeCalculation: (jpeg) => jpeg.length })

/** A card that is being rendered or waits for it, for one or more requests. */
interface PendingCard {
  jpeg: Promise<Buffer>
  /** Requests that wait for it; those without a signal wait to the end. */
  requests: number
  isRendering: boolean
  withdrawal: AbortController
}
const inFlight = new Map<string, PendingCard>()
const queue = createCardQueue()

/** Number of cards that wait to be rendered. */
export const countWaitingCards = (): number => queue.waiting

const renderSvg = (data: CardData, dataDir: string): Promise<string> => {
  if (data.kind === 'raza') return renderBreedCard(data, dataDir)
  if (data.kind === 'miembro') return renderMemberCard(data, dataDir)
  if (data.kind === 'sitio') return data.isLost ? renderLostListCard() : renderSiteCard()
  if (data.kind === 'reto') return renderRiddleCard(data)
  if (data.kind === 'año') return renderYearCard(data, dataDir)
  return data.kind === 'cromo' ? renderStickerCard(data, dataDir) : renderDogCard(data, dataDir)
}

/** Renders a card as JPEG in the size of its kind, and within `maxBytes` where a quality allows it. */
export async function renderCard(data: CardData, dataDir: string): Promise<Buffer> {
  const { width, height, maxBytes } = data.kind === 'cromo' || data.kind === 'año' ? STICKER : CARD
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`
  const svg = Buffer.from(`${open}${renderBackground(width, height)}${await renderSvg(data, dataDir)}</svg>`)
  const sharp = await loadSharp()
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
 * @param network the site that asks for it (`toSitePrefix`): sites take turns
 * @param signal ends the request: a card for which no request waits any more is not rendered
 * @throws RenderQueueFull when it is not cached, and is evicted from a full queue; CardWithdrawn when every request has ended
 */
export async function getCard(
  data: CardData,
  dataDir: string,
  network?: string,
  signal?: AbortSignal,
): Promise<Buffer> {
  const key = cacheKey(data, dataDir)
  const cached = cachedCards.get(key)
  if (cached) return cached
  if (signal?.aborted) throw new CardWithdrawn()
  const pending = inFlight.get(key) ?? startRender(key, data, dataDir, network)
  pending.requests++
  const leave = () => {
    if (--pending.requests > 0 || pending.isRendering) return
    inFlight.delete(key)
    pending.withdrawal.abort()
  }
  signal?.addEventListener('abort', leave, { once: true })
  try {
    return await pending.jpeg
  } finally {
    signal?.removeEventListener('abort', leave)
  }
}

function startRender(key: string, data: CardData, dataDir: string, network: string | undefined): PendingCard {
  const withdrawal = new AbortController()
  const render = () => {
    if (withdrawal.signal.aborted) throw new CardWithdrawn()
    pending.isRendering = true
    return renderCard(data, dataDir)
  }
  const jpeg = queue
    .run(() => renderState.limiter.run(async () => render(), { priority: 'prerender' }), network, withdrawal.signal)
    .then((rendered) => {
      cachedCards.set(key, rendered)
      return rendered
    })
    .finally(() => {
      // After a withdrawal another request may have begun anew.
      if (inFlight.get(key) === pending) inFlight.delete(key)
    })
  const pending: PendingCard = { jpeg, requests: 0, isRendering: false, withdrawal }
  inFlight.set(key, pending)
  return pending
}
