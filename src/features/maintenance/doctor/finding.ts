/** How well something is: `aviso` is leftovers or a warning in time, `error` is damage or a danger. */
export type Level = 'ok' | 'aviso' | 'error'

/** One line of the doctor's list. */
export interface Finding {
  /** What was looked at: «fotos». */
  what: string
  level: Level
  /** One Spanish sentence. */
  detail: string
  /** True where `--repair` does something about it. */
  isRepairable?: boolean
}

export const ok = (what: string, detail: string): Finding => ({ what, level: 'ok', detail })
export const warning = (what: string, detail: string, mends = false): Finding => ({
  what,
  level: 'aviso',
  detail,
  isRepairable: mends,
})
export const failure = (what: string, detail: string, mends = false): Finding => ({
  what,
  level: 'error',
  detail,
  isRepairable: mends,
})

/** The worst of a list. */
export const worstLevel = (findings: readonly Finding[]): Level =>
  (['error', 'aviso'] as const).find((level) => findings.some((finding) => finding.level === level)) ?? 'ok'

/** «beagle.jpg, luna.jpg y 3 más» */
export function formatSome(names: readonly string[], most = 2): string {
  const shown = names.slice(0, most).join(', ')
  return names.length > most ? `${shown} y ${names.length - most} más` : shown
}
