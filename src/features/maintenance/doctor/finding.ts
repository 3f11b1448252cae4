/** The severity of a finding: `aviso` is a warning or leftovers, `error` is damage or danger. */
export type Level = 'ok' | 'aviso' | 'error'

/** The result of one check of the doctor. */
export interface Finding {
  /** The subject of the check: «fotos». */
  what: string
  level: Level
  /** One Spanish sentence. */
  detail: string
  /** Whether `--repair` can repair it. */
  isRepairable?: boolean
}

export const ok = (what: string, detail: string): Finding => ({ what, level: 'ok', detail })
export const warning = (what: string, detail: string): Finding => ({ what, level: 'aviso', detail })
export const failure = (what: string, detail: string): Finding => ({ what, level: 'error', detail })
/** The same of what `--repair` can repair. */
export const repairable = (finding: Finding): Finding => ({ ...finding, isRepairable: true })

/** The worst severity among findings. */
export const worstLevel = (findings: readonly Finding[]): Level =>
  (['error', 'aviso'] as const).find((level) => findings.some((finding) => finding.level === level)) ?? 'ok'

/** «beagle.jpg, luna.jpg y 3 más» */
export function formatSome(names: readonly string[], maxShown = 2): string {
  const shown = names.slice(0, maxShown).join(', ')
  return names.length > maxShown ? `${shown} y ${names.length - maxShown} más` : shown
}
