import { foldText } from '#lib/text/text.ts'
import { formatCount } from '#lib/numbers.ts'
import { type AlbumMode, printedNumber } from '../album.ts'

/** Slots on a printed page: four by five. */
export const SLOTS_PER_SHEET = 20

/** A slot of the printed album: with its sticker, or empty. */
export interface PrintSlot {
  number: number
  name: string
  /** The newest dog's photo, else the breed's portrait; null for an undiscovered breed. */
  picture: string | null
  silhouette: string
}

export interface Sheet {
  slots: PrintSlot[]
  /** Initials of its breeds: `A`, `A – B`. */
  letters: string
  /** `001 – 020`. */
  numbers: string
}

export interface PrintedAlbum {
  sheets: Sheet[]
  total: number
  discovered: number
  /** Three portraits for the cover. */
  cover: string[]
}

const initial = (name: string): string => foldText(name).charAt(0).toUpperCase()
const formatSpan = (first: string, last: string): string => (first === last ? first : `${first} – ${last}`)

/** Splits the album's slots, in order, into pages to print; the last may have fewer. */
export function toSheets(slots: readonly PrintSlot[]): Sheet[] {
  const sheets: Sheet[] = []
  for (const [i, first] of slots.entries()) {
    if (i % SLOTS_PER_SHEET > 0) continue
    const onSheet = slots.slice(i, i + SLOTS_PER_SHEET)
    const last = onSheet.at(-1) ?? first
    sheets.push({
      slots: onSheet,
      letters: formatSpan(initial(first.name), initial(last.name)),
      numbers: formatSpan(printedNumber(first.number), printedNumber(last.number)),
    })
  }
  return sheets
}

/** The cover's sentence about the stickers that are in place. */
export function stickersText(mode: AlbumMode, discovered: number, total: number): string {
  if (discovered === 0) return `${formatCount(total)} razas por descubrir`
  const found = discovered === 1 ? '1 pegatina puesta' : `${formatCount(discovered)} pegatinas puestas`
  return `${formatCount(total)} razas, ${found} ${mode === 'user' ? 'por ti' : 'por la comunidad'}`
}
