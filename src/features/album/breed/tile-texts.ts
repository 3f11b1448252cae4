import { countries } from '#features/breeds/countries.ts'
import { formatRange } from '#features/breeds/figures/tiles.ts'
import type { Range, RangesBySex } from '#features/breeds/profile/profiles.ts'

/** The parts of a comma list, trimmed, without empty ones. */
export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** «Alemania y Suiza»; «Todo el mundo» for an empty origin. */
export function originText(origin: string): string {
  const names = countries(origin)
  return names.length > 0 ? names.join(' y ').replace(/ y (I[^aeo])/, ' e $1') : 'Todo el mundo'
}

/** «25–32», or «unos 43»: a single figure is an ideal or a mean, within the range that stands above it. */
const sexText = (range: Range): string => `${range[0] === range[1] ? 'unos ' : ''}${formatRange(...range)}`

/** «Machos 25–32, hembras 22–30»; undefined where the sexes do not differ or are not told apart. */
export function bySexText(ranges: RangesBySex | undefined): string | undefined {
  const { males, females } = ranges ?? {}
  if (!males || !females || (males[0] === females[0] && males[1] === females[1])) return undefined
  return `Machos ${sexText(males)}, hembras ${sexText(females)}`
}
