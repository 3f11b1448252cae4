import type { MatrixWorld } from '#tests/support/matrix/world.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import type { Template, all } from './templates.ts'

/** Pages of sightings and found dogs in their states; no dog of the world is lost, and none was found. */
export const listSightingTemplates = (w: MatrixWorld, list: typeof all): Record<string, Template> => ({
  'admin/avistamientos.astro': list('admin', { '/admin/avistamientos': 'Avistamientos por revisar' }),
  'encontrados/index.astro': list('visitor', {
    '/encontrados': 'He encontrado un perro',
    '/encontrados?hecho=cerrado': 'He encontrado un perro',
  }),
  'encontrados/[id].astro': list('visitor', { [`/encontrados/${UNKNOWN_ID}`]: 'Aquí no hay nada' }),
  'mensajes/index.astro': list('visitor', { '/mensajes': 'Todavía no hay mensajes' }),
  'admin/mensajes.astro': list('admin', { '/admin/mensajes': 'Mensajes denunciados' }),
  'mensajes/baja.astro': list('visitor', { '/mensajes/baja?token=x': 'No te avisaremos más' }),
  'mensajes/confirmar.astro': list('visitor', { '/mensajes/confirmar?token=x': 'Este enlace no vale' }),
  'mensajes/[threadId].astro': list('visitor', { [`/mensajes/${UNKNOWN_ID}`]: 'Aquí no hay mensajes' }),
  'perdidos/[dogId]/visto.astro': list('visitor', {
    [`/perdidos/${w.dog.id}/visto`]: `¿Has visto a ${w.dog.name}?`,
    [`/perdidos/${UNKNOWN_ID}/visto`]: 'Este perro ya no está aquí',
  }),
  'perdidos/[dogId]/avistamientos.astro': [
    ...list('owner', { [`/perdidos/${w.dog.id}/avistamientos`]: 'Aquí no hay nada' }),
    ...list('member', { [`/perdidos/${w.dog.id}/avistamientos`]: 'No puedes ver esto' }),
  ],
})
