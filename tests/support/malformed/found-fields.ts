import type { RouteFields } from './valid-fields.ts'

const FIELDS = {
  photo: '{jpeg}',
  size: 'mediano',
  coat: 'Corto',
  collar: 'Rojo',
  words: 'Cojea.',
  question: '¿Qué cicatriz tiene?',
  hueso: '',
}

/** Right values of the fields of found notices (valid-fields.ts). */
export const FOUND_FIELDS: Record<string, RouteFields> = {
  'POST /api/found': {
    parts: { ...FIELDS, lat: '40.3057', lon: '-3.7329', found_at: new Date(Date.now() - 60_000).toISOString() },
  },
  'POST /encontrados': { parts: { ...FIELDS, zone: 'Getafe', ago: '30' } },
  'GET /encontrados': { query: { hecho: 'cerrado' } },
  'GET /encontrados/[id]': { query: { respuestas: '{claimsCursor}' } },
  'POST /encontrados/[id]': { form: { action: 'claim', answer: 'En la pata.' } },
}
