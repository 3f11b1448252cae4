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
  mends?: boolean
}

export const ok = (what: string, detail: string): Finding => ({ what, level: 'ok', detail })
export const aviso = (what: string, detail: string, mends = false): Finding => ({ what, level: 'aviso', detail, mends })
export const bad = (what: string, detail: string, mends = false): Finding => ({ what, level: 'error', detail, mends })

/** The worst of a list. */
export const worst = (findings: readonly Finding[]): Level =>
  (['error', 'aviso'] as const).find((level) => findings.some((finding) => finding.level === level)) ?? 'ok'

/** «beagle.jpg, luna.jpg y 3 más» */
export function some(names: readonly string[], most = 2): string {
  const shown = names.slice(0, most).join(', ')
  return names.length > most ? `${shown} y ${names.length - most} más` : shown
}
