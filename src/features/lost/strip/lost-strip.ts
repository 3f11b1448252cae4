import { COUNTED_MAX, type LostDog } from '#features/lost/list/lost-list.ts'

/** Dogs that a strip shows. */
export const STRIP_DOGS = 6

export interface LostStrip {
  dogs: LostDog[]
  /** All of them, counted up to COUNTED_MAX + 1. */
  count: number
  /** «en Huesca», «cerca de ti», or empty: everywhere. */
  place: string
  /** The list of all of them. */
  href: string
}

/** «3 perros perdidos en Huesca». */
export function stripTitle({ count, place }: Pick<LostStrip, 'count' | 'place'>): string {
  const figure =
    count > COUNTED_MAX
      ? `Más de ${COUNTED_MAX} perros perdidos`
      : count === 1
        ? '1 perro perdido'
        : `${count} perros perdidos`
  return place ? `${figure} ${place}` : figure
}
