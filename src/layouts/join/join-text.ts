import { formatCount } from '#lib/numbers.ts'

const INVITATION = 'Únete gratis y empieza tu álbum.'

/** The banner's text for visitors under «Sé de los primeros», with the number of registered profiles. */
export function formatJoinText(profiles: number): string {
  if (profiles === 0) return INVITATION
  return `Ya ${profiles === 1 ? 'hay 1 perfil registrado' : `hay ${formatCount(profiles)} perfiles registrados`}. ${INVITATION}`
}
