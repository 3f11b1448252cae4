import type { MatrixWorld } from '#tests/support/matrix/world.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import type { LostStates } from './lost-states.ts'
import type { Template, all } from './templates.ts'

/** Pages of sightings and found dogs in their states. */
export const listSightingTemplates = (
  w: MatrixWorld,
  { asked, unseen, found, lonely, notified, answered }: LostStates,
  list: typeof all,
): Record<string, Template> => ({
  'encontrados/index.astro': list('visitor', {
    '/encontrados': 'He encontrado un perro',
    '/encontrados?hecho=cerrado': 'He encontrado un perro',
  }),
  'mensajes/index.astro': list('visitor', { '/mensajes': 'Todavía no hay mensajes' }),
  'mensajes/confirmar.astro': list('visitor', { '/mensajes/confirmar?token=x': 'Este enlace no vale' }),
  'mensajes/[threadId].astro': list('visitor', { [`/mensajes/${UNKNOWN_ID}`]: 'Aquí no hay mensajes' }),
  'encontrados/[id].astro': [
    ...list('visitor', { [`/encontrados/${UNKNOWN_ID}`]: 'Aquí no hay nada' }),
    ...list('owner', {
      [`/encontrados/${found}`]: 'El perro que has encontrado',
      [`/encontrados/${lonely}`]: 'El perro que has encontrado',
      [`/encontrados/${notified}`]: 'Han encontrado un perro',
      [`/encontrados/${answered}`]: 'Han encontrado un perro',
    }),
  ],
  'perdidos/[dogId]/visto.astro': [
    ...list('visitor', {
      [`/perdidos/${asked.id}/visto`]: `¿Has visto a ${asked.name}?`,
      [`/perdidos/${asked.id}/visto?hecho=enviado`]: '¡Gracias!',
      [`/perdidos/${asked.id}/visto?hecho=retirado`]: `¿Has visto a ${asked.name}?`,
      [`/perdidos/${w.dog.id}/visto`]: `¿Has visto a ${w.dog.name}?`,
      [`/perdidos/${UNKNOWN_ID}/visto`]: 'Este perro ya no está aquí',
    }),
    ...list('member', { [`/perdidos/${asked.id}/visto`]: `¿Has visto a ${asked.name}?` }),
  ],
  'perdidos/[dogId]/avistamientos.astro': [
    ...list('owner', {
      [`/perdidos/${asked.id}/avistamientos`]: `Quién ha visto a ${asked.name}`,
      [`/perdidos/${unseen.id}/avistamientos`]: `Quién ha visto a ${unseen.name}`,
      [`/perdidos/${w.dog.id}/avistamientos`]: 'Aquí no hay nada',
    }),
    ...list('member', { [`/perdidos/${w.dog.id}/avistamientos`]: 'No puedes ver esto' }),
  ],
})
