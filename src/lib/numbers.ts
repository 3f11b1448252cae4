/** `part` of `whole` in whole per cent; 0 of nothing (docs/product.md §1.3). */
export const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 100))

const counts = new Intl.NumberFormat('es-ES', { useGrouping: 'always' })

/** «1.284»: Spanish leaves four figures ungrouped by default, but counters read better grouped. */
export const formatCount = (count: number): string => counts.format(count)
