import type { RouteFields } from './valid-fields.ts'

/** Right values of the fields of lost dogs, their alerts and opinions (valid-fields.ts). */
export const LOST_FIELDS: Record<string, RouteFields> = {
  'POST /api/dogs/[id]/opinions': {
    json: { breed: 'Beagle', reason: 'Por las orejas.' },
    form: { breed: 'Podenco andaluz', reason: 'Por la cola.' },
    as: 'other',
  },
  'DELETE /api/dogs/[id]/opinions': { as: 'other' },
  'POST /api/dogs/[id]/opinions/request': { json: { asked: true }, form: { asked: 'true' } },
  'GET /perro/[id]/opiniones': { query: { cursor: '{opinionsCursor}', aviso: 'lleno' } },
  'PUT /api/lost-alerts': {
    json: { zone: 'Getafe', radius_km: 5, breaks_quiet: false, by_mail: true, by_push: true },
  },
  'any /api/lost-alerts/unsubscribe': {
    query: { token: '{digestToken}' },
    form: { 'List-Unsubscribe': 'One-Click' },
  },
  'GET /perdidos': { query: { provincia: '28', breed: 'beagle', size: 'mini', desde: 'semana', cursor: '' } },
  'GET /perdidos.atom': { query: { provincia: '28' } },
  'GET /api/map/lost': { query: { bbox: '-4,40,-3,41' } },
  'PUT /api/dogs/[id]/lost': {
    json: { since: Date.now() - 3_600_000, zone: 'Getafe', lat: null, lon: null, help: 'Tiene miedo.', chip: true },
  },
  'DELETE /api/dogs/[id]/lost': { json: { ending: 'home', thanks: true } },
  'POST /perdidos/[dogId]': {
    form: {
      since: '2026-11-20T10:30',
      zone: 'Getafe',
      lat: '',
      lon: '',
      help: 'Tiene miedo.',
      chip: 'si',
      thanks: 'on',
      accion: 'guardar',
    },
  },
  'GET /perdidos/[dogId]': { query: { hecho: 'guardado' } },
}
