import { foldText } from '#lib/text/text.ts'
import { formatCount } from '#lib/numbers.ts'
import { type AlbumMode, printedNumber } from '../album.ts'

/** Places on a printed page: four by five. */
export const SLOTS_PER_SHEET = 20

/** A place of the printed album: with its sticker, or empty. */
export interface PrintSlot {
  number: number
  name: string
  /** The newest dog's photo, else the breed's portrait; null where there is nothing to show yet. */
  picture: string | null
  silhouette: string
}

export interface Sheet {
  slots: PrintSlot[]
  /** The letters that its breeds begin with: `A`, `A – B`. */
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

const initial = (name: string): string => foldText(name)[0]!.toUpperCase()
const formatSpan = (first: string, last: string): string => (first === last ? first : `${first} – ${last}`)

/** The album's places, in order, as pages to print; the last may have fewer. */
export function toSheets(slots: readonly PrintSlot[]): Sheet[] {
  return Array.from({ length: Math.ceil(slots.length / SLOTS_PER_SHEET) }, (_, i) => {
    const own = slots.slice(i * SLOTS_PER_SHEET, (i + 1) * SLOTS_PER_SHEET)
    const [first, last] = [own[0]!, own.at(-1)!]
    return {
      slots: own,
      letters: formatSpan(initial(first.name), initial(last.name)),
      numbers: formatSpan(printedNumber(first.number), printedNumber(last.number)),
    }
  })
}

/** What the cover says of what is glued in already. */
export function stickersText(mode: AlbumMode, discovered: number, total: number): string {
  if (discovered === 0) return `${formatCount(total)} razas por descubrir`
  const found = discovered === 1 ? '1 pegatina puesta' : `${formatCount(discovered)} pegatinas puestas`
  return `${formatCount(total)} razas, ${found} ${mode === 'user' ? 'por ti' : 'por la comunidad'}`
}
