import { madridDay } from '#lib/dates.ts'
import type { Dog } from '#features/dogs/dogs.ts'

/** Frames that an owner may put on the card of a dog that was added in their season (docs/product.md §5.9). */
export const SEASONAL_FRAMES = ['christmas', 'spring', 'summer', 'autumn'] as const
export type SeasonalFrame = (typeof SEASONAL_FRAMES)[number]

/**
 * First and last day of each season in Madrid, month and day as one number: 106 is 6 January. The one place with these dates. A season may
 * span two years, and two overlap in December.
 */
export const SEASON_DATES: Readonly<Record<SeasonalFrame, readonly [from: number, to: number]>> = {
  christmas: [1201, 106],
  spring: [320, 620],
  summer: [621, 922],
  autumn: [923, 1220],
}

export const SEASON_LABELS: Readonly<Record<SeasonalFrame, string>> = {
  christmas: 'Navidad',
  spring: 'Primavera',
  summer: 'Verano',
  autumn: 'Otoño',
}

/** The frame in words. */
export const frameLabel = (frame: SeasonalFrame): string => `Marco: ${SEASON_LABELS[frame]}`

/** The style sheet of frames: only pages that show one load it. */
export const FRAME_STYLES = '/marcos/marcos.css'

/**
 * The frames that a dog may have.
 * @param day when it was added, the day in Madrid: 20261126
 */
export const framesOfDay = (day: number): SeasonalFrame[] =>
  SEASONAL_FRAMES.filter((frame) => {
    const [from, to] = SEASON_DATES[frame]
    const date = day % 10_000
    return from <= to ? date >= from && date <= to : date >= from || date <= to
  })

/** The frames that a member may put on the dog: none for others than its owner. */
export const framesFor = (
  dog: Pick<Dog, 'owner_id' | 'created_at'>,
  userId: string | null | undefined,
): SeasonalFrame[] => (userId && dog.owner_id === userId ? framesOfDay(madridDay(dog.created_at)) : [])
