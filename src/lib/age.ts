export const AGE_UNITS = ['meses', 'años'] as const
export type AgeUnit = (typeof AGE_UNITS)[number]

/** Age in months, which the lists sort by: years x 12 (docs/product.md §26.4). Null where no age was given. */
export function ageInMonths(age: number | null, unit: AgeUnit | null): number | null {
  if (age === null) return null
  return unit === 'meses' ? age : age * 12
}

const formatMonths = (n: number) => (n === 1 ? '1 mes' : `${n} meses`)
const formatYears = (n: number) => (n === 1 ? '1 año' : `${n} años`)

/** «5 meses», «1 año», «3 años», «4 años 2 meses» (docs/product.md §4.3): months under 12, years and months above. */
export function formatAge(totalMonths: number): string {
  if (totalMonths < 12) return formatMonths(totalMonths)
  const rest = totalMonths % 12
  const whole = formatYears(Math.floor(totalMonths / 12))
  return rest === 0 ? whole : `${whole} ${formatMonths(rest)}`
}
