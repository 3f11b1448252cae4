/** `part` of `whole` in whole per cent; 0 of nothing (docs/product.md §1.3). */
export const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 100))

const counts = new Intl.NumberFormat('es-ES', { useGrouping: 'always' })

/** «1.284»: Spanish leaves four figures ungrouped by default, but counters read better grouped. */
export const formatCount = (count: number): string => counts.format(count)

/** The index `step` away from `index` among `length`, wrapping around at both ends. */
export const wrapIndex = (index: number, step: number, length: number): number =>
  (((index + step) % length) + length) % length
