import { formatRange } from '#features/breeds/figures/tiles.ts'
import type { RangesBySex } from '#features/breeds/profile/profiles.ts'

/** `text` with its first letter in upper case. */
export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The parts of a comma list, trimmed, without empty ones. */
export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** «Alemania y Suiza»; «Todo el mundo» for an empty origin. */
export function originText(origin: string): string {
  const names = origin
    .split('/')
    .map((name) => name.trim())
    .filter(Boolean)
  return names.length > 0 ? names.join(' y ').replace(/ y (I[^aeo])/, ' e $1') : 'Todo el mundo'
}

/** «Machos 25–32, hembras 22–30»; undefined where the sexes do not differ or are not told apart. */
export function bySexText(ranges: RangesBySex | undefined): string | undefined {
  const { males, females } = ranges ?? {}
  if (!males || !females || (males[0] === females[0] && males[1] === females[1])) return undefined
  return `Machos ${formatRange(...males)}, hembras ${formatRange(...females)}`
}
