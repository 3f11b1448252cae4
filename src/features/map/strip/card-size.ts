/** Layout of a card: the photo beside its text, in three sizes, or above it (`tall`). */
export type CardForm = 'tiny' | 'small' | 'row' | 'tall'

export interface CardSize {
  form: CardForm
  /** Width of the card, whole pixels. */
  width: number
  /** Side of the photo, or its height above the text, px. */
  photo: number
}

/** Space between cards. */
export const CARD_GAP_PX = 14

/** The sticker's borders, both sides together. */
const EDGES_PX = 16
const BESIDE_GAP = 13
/** Space of name, breed and zone beside the photo and below it. */
const TEXT_BESIDE = 150
const TEXT_MIN_WIDTH = 138
const TEXT_BELOW = 100
const PHOTO_MAX_BESIDE = 190
const TALL_MIN_HEIGHT = 236
const TALL_MIN_WIDTH = 188
/** A card's maximum share of a narrow screen, so that the edge of the next card shows. */
const MAX_WIDTH_SHARE = 0.86

/**
 * The card layout for a strip of this height and width.
 * @param scale of the text: 2 where it is twice the default size
 */
export function cardSize(height: number, width: number, scale = 1): CardSize {
  const widest = Math.max(160, Math.floor(width * MAX_WIDTH_SHARE))
  if (height >= TALL_MIN_HEIGHT * scale) {
    const photo = Math.floor(height - EDGES_PX - TEXT_BELOW * scale)
    return { form: 'tall', width: Math.min(widest, Math.max(TALL_MIN_WIDTH, photo + EDGES_PX)), photo }
  }
  const fullHeight = Math.min(PHOTO_MAX_BESIDE, Math.max(40, Math.floor(height - EDGES_PX)))
  const photo = Math.max(40, Math.min(fullHeight, widest - EDGES_PX - BESIDE_GAP - TEXT_MIN_WIDTH * scale))
  const form = height < 84 * scale ? 'tiny' : height < 132 * scale ? 'small' : 'row'
  return { form, width: Math.min(widest, Math.floor(photo + EDGES_PX + BESIDE_GAP + TEXT_BESIDE * scale)), photo }
}
