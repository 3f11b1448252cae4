/** How many dogs and likes came today (Europe/Madrid), in the whole community: `GET /api/today`. */
export interface TodayCounts {
  dogs: number
  likes: number
}

/** The words of a counter of the header: «like nuevo», «perros nuevos». */
export function newCountLabel(kind: keyof TodayCounts, count: number): string {
  const s = count === 1 ? '' : 's'
  return `${kind === 'likes' ? 'like' : 'perro'}${s} nuevo${s}`
}

/** On `window`: the list shows figures anew; `detail` is how many dogs came today. */
export const TODAY_EVENT = 'perrario:today'
