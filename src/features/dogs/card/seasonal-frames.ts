/** Frames that an owner may put on the card of a dog that was added in their season (docs/product.md §5.9). */
export const SEASONAL_FRAMES = ['christmas', 'spring', 'summer', 'autumn'] as const
export type SeasonalFrame = (typeof SEASONAL_FRAMES)[number]

interface Season {
  label: string
  /** The frame in words. */
  name: string
  /** First and last day in Madrid, month and day as one number: 106 is 6 January. A season may span two years. */
  from: number
  to: number
  dates: string
}

/** The seasons, the one place with their dates. In December two of them overlap. */
export const SEASONS: Readonly<Record<SeasonalFrame, Season>> = {
  christmas: {
    label: 'Navidad',
    name: 'Marco de Navidad',
    from: 1201,
    to: 106,
    dates: 'entre el 1 de diciembre y el 6 de enero',
  },
  spring: {
    label: 'Primavera',
    name: 'Marco de primavera',
    from: 320,
    to: 620,
    dates: 'entre el 20 de marzo y el 20 de junio',
  },
  summer: {
    label: 'Verano',
    name: 'Marco de verano',
    from: 621,
    to: 922,
    dates: 'entre el 21 de junio y el 22 de septiembre',
  },
  autumn: {
    label: 'Otoño',
    name: 'Marco de otoño',
    from: 923,
    to: 1220,
    dates: 'entre el 23 de septiembre y el 20 de diciembre',
  },
}

/**
 * The frames that a dog may have.
 * @param day when it was added, the day in Madrid: 20261126
 */
export const framesOfDay = (day: number): SeasonalFrame[] =>
  SEASONAL_FRAMES.filter((frame) => {
    const { from, to } = SEASONS[frame]
    const date = day % 10_000
    return from <= to ? date >= from && date <= to : date >= from || date <= to
  })

export const FRAME_TEXTS = {
  unknown: 'Elige un marco de la lista.',
  owner: 'Solo su dueño puede ponerle un marco.',
  season: (frame: SeasonalFrame): string =>
    `El ${SEASONS[frame].name.toLowerCase().replace('navidad', 'Navidad')} es para perros añadidos ${SEASONS[frame].dates}.`,
} as const
