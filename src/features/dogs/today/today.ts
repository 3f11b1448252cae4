import type * as z from 'zod/mini'
import type { todayAnswer } from '../answers.ts'
/** Dogs and likes added today (Europe/Madrid) in the whole community: `GET /api/today`. */
export type TodayCounts = z.output<typeof todayAnswer>

/** Label of a counter in the header: «like nuevo», «perros nuevos». */
export function newCountLabel(kind: keyof TodayCounts, count: number): string {
  const s = count === 1 ? '' : 's'
  return `${kind === 'likes' ? 'like' : 'perro'}${s} nuevo${s}`
}

/** Event on `window` when the list shows new figures; `detail` is the number of dogs added today. */
export const TODAY_EVENT = 'perrario:today'
