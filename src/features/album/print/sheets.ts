import { fold } from '#lib/text.ts'
import { formatCount } from '#lib/numbers.ts'
import { type Mode, printedNumber } from '../album.ts'

/** Places on a printed page: four by five. */
export const PER_SHEET = 20

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

const initial = (name: string): string => fold(name)[0]!.toUpperCase()
const span = (first: string, last: string): string => (first === last ? first : `${first} – ${last}`)

/** The album's places, in order, as pages to print; the last may have fewer. */
export function toSheets(slots: readonly PrintSlot[]): Sheet[] {
  return Array.from({ length: Math.ceil(slots.length / PER_SHEET) }, (_, i) => {
    const own = slots.slice(i * PER_SHEET, (i + 1) * PER_SHEET)
    const [first, last] = [own[0]!, own.at(-1)!]
    return {
      slots: own,
      letters: span(initial(first.name), initial(last.name)),
      numbers: span(printedNumber(first.number), printedNumber(last.number)),
    }
  })
}

/** What the cover says of what is glued in already. */
export function gluedText(mode: Mode, discovered: number, total: number): string {
  if (discovered === 0) return `${formatCount(total)} razas por descubrir`
  const found = discovered === 1 ? '1 pegatina puesta' : `${formatCount(discovered)} pegatinas puestas`
  return `${formatCount(total)} razas, ${found} ${mode === 'user' ? 'por ti' : 'por la comunidad'}`
}
