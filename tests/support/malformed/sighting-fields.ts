import type { RouteFields } from './valid-fields.ts'

/** Right values of the fields of sightings (valid-fields.ts). */
export const SIGHTING_FIELDS: Record<string, RouteFields> = {
  'POST /api/dogs/[id]/sightings': {
    parts: {
      photo: '{jpeg}',
      lat: '40.3057',
      lon: '-3.7329',
      zone: 'Getafe',
      at: new Date(Date.now() - 60_000).toISOString(),
      ago: '15',
      words: 'Cojea un poco.',
      hueso: '',
      miembro: '',
      clave: 'c'.repeat(36),
    },
    headers: { 'Idempotency-Key': 'k'.repeat(40) },
  },
  'POST /perdidos/[dogId]/visto': {
    parts: {
      photo: '{jpeg}',
      lat: '',
      lon: '',
      zone: 'Getafe',
      ago: '15',
      words: 'Cojea.',
      hueso: '',
      miembro: '',
      clave: 'd'.repeat(36),
    },
  },
  'GET /perdidos/[dogId]/visto': { query: { hecho: 'enviado', retirar: '{ownSighting}' } },
  'DELETE /api/sightings/[id]': { path: '/api/sightings/{ownSighting}', as: 'other' },
  'GET /perdidos/[dogId]/avistamientos': { query: { cursor: '{sightingsCursor}' } },
  'POST /perdidos/[dogId]/avistamientos': { form: { id: '{sighting}', action: 'refuse' } },
  'GET /api/dogs/[id]/sightings': { query: { cursor: '{sightingsCursor}' } },
  'POST /api/sightings/[id]': { json: { action: 'refuse' } },
  'POST /api/admin/reviews/[id]': {
    path: '/api/admin/reviews/{reviewSighting}',
    json: { kind: 'sighting', decision: 'keep' },
    form: { kind: 'sighting', decision: 'keep', clase: 'avistamiento' },
    as: 'admin',
  },
}
