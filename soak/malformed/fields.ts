/**
 * Right values of every field that an address reads, so that a request goes wrong in one place at a time and gets as deep
 * as it can. What is not listed here is sent the names of all others (`ALL_NAMES`). `{dog}` and the like stand for ids of
 * the world the request is sent to.
 */
export interface Fields {
  query?: Record<string, string>
  json?: Record<string, unknown>
  /** urlencoded. */
  form?: Record<string, string>
  /** multipart; `{jpeg}` is a photo. */
  parts?: Record<string, string>
}

const DOG = {
  name: 'Toby',
  breed: 'Beagle',
  age: '3',
  age_unit: 'years',
  weight: '12.5',
  size: 'medium',
  zone: 'Getafe, Madrid',
  is_adopted: 'true',
  description: 'Le gusta el agua.',
  relationship: 'owner',
}
const LIST = { breed: 'beagle', size: 'medium', sort: 'votes-desc', cursor: '{cursor}', limit: '10' }
const PAGED = { cursor: '{cursor}', limit: '10' }
const ALBUM = { buscar: 'galgo', modo: 'todas', orden: 'nombre', pagina: '2', vista: 'lista' }
const NOTICES = {
  likes: true,
  comments: true,
  others: false,
  quiet: { from: 1320, to: 480 },
  time_zone: 'Europe/Madrid',
  digest: true,
}

/** `METHOD address`, or `any address`. */
export const FIELDS: Record<string, Fields> = {
  'POST /api/auth/magic-link': { json: { email: 'nadie@ejemplo.es' }, form: { email: 'nadie@ejemplo.es' } },
  'POST /api/auth/code': {
    json: { email: 'nadie@ejemplo.es', code: '123456' },
    form: { email: 'nadie@ejemplo.es', code: '123456' },
  },
  'POST /api/auth/link': { json: { token: 'x'.repeat(43) }, form: { token: 'x'.repeat(43) } },
  'any /api/auth/[provider]/callback': {
    query: { state: 'x', code: 'y', error: 'access_denied' },
    form: { state: 'x', code: 'y', user: '{"name":{"firstName":"Ana"}}', id_token: 'a.b.c' },
  },
  'any /api/auth/[provider]': { query: { next: '/perfil' } },
  'POST /api/dogs': { parts: { ...DOG, images: '{jpeg}' } },
  'GET /api/dogs': { query: LIST },
  'PATCH /api/dogs/[id]': { json: { ...DOG, age: 3, weight: 12.5, is_adopted: true, relationship: undefined } },
  'PUT /api/dogs/[id]/images': { parts: { images: '{photo}', 'images ': '{jpeg}' } },
  'GET /api/dogs/[id]/likes': { query: PAGED },
  'GET /api/dogs/[id]/comments': { query: PAGED },
  'POST /api/dogs/[id]/comments': { json: { content: 'Hola' } },
  'POST /api/dogs/[id]/association': { json: { ownershipType: 'owner', token: '{token}' } },
  'POST /api/dogs/[id]/ownership': { form: { withdraw: '1' } },
  'POST /api/dogs/[id]/ownership/[userId]': { json: { accept: true }, form: { accept: '1' } },
  'POST /api/breed-detection': { parts: { image: '{jpeg}' } },
  'PATCH /api/notifications/[id]': { json: { is_read: true } },
  'GET /api/notifications': { query: PAGED },
  'GET /api/likes': { query: { ids: '{dog}', dogs: '{dog}', ...PAGED } },
  'POST /api/push': {
    json: {
      endpoint: 'https://fcm.googleapis.com/fcm/send/x',
      keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
    },
  },
  'any /api/digest/unsubscribe': { query: { token: 'x.y.z' }, form: { 'List-Unsubscribe': 'One-Click' } },
  'PUT /api/account/notices': { json: NOTICES },
  'POST /api/account/notices': { form: { likes: 'on', time_zone: 'Europe/Madrid', from: '22:00', to: '08:00' } },
  'PUT /api/profile': { json: { alias: 'Ana de Getafe', emoji: '🐕' } },
  'POST /api/profile': { form: { alias: 'Ana de Getafe', emoji: '🐕' } },
  'GET /api/profile/alias': { query: { alias: 'Ana' } },
  'DELETE /api/account': { json: { dogs: 'keep' } },
  'POST /api/account': { form: { dogs: 'keep', alias: 'nadie' } },
  'POST /api/reports': {
    json: { kind: 'dog', id: '{dog}', reason: 'otra', words: 'Es un gato.' },
    form: { kind: 'comment', id: '{comment}', reason: 'spam', words: 'No.', photo: '{photo}' },
  },
  'PUT /api/admin/members/[id]/verified': { json: { verified: true } },
  'POST /api/admin/members/[id]/verified': { form: { verified: '1' } },
  'POST /api/admin/members/[id]/word': { json: { content: 'Hola' }, form: { content: 'Hola' } },
  'GET /api/map': { query: { bbox: '-4,40,-3,41', zoom: '9', breed: 'beagle', size: 'small', view: '-4,40,-3,41' } },
  'GET /api/map/dogs': { query: { bbox: '-4,40,-3,41', breed: 'beagle', size: 'small', ...PAGED } },
  'GET /api/geocode': { query: { q: 'Getafe' } },
  'GET /api/places': { query: { q: 'Getafe', limit: '5' } },
  'GET /api/events': { query: { after: '1', lastEventId: '1' } },
  'POST /compartir': { parts: { title: 'Toby', text: 'Mira', url: 'https://ejemplo.es', photos: '{jpeg}' } },
  'GET /': {
    query: { ...LIST, ...ALBUM, tab: 'mine', compartido: 'si', view: 'map', lat: '40', lon: '-3', zoom: '9' },
  },
  'GET /perros': { query: { ...LIST, view: 'map', lat: '40', lon: '-3', zoom: '9' } },
  'GET /perros/mapa': { query: { ...LIST, lat: '40', lon: '-3', zoom: '9' } },
  'GET /razas': { query: ALBUM },
  'GET /razas/[raza]': { query: { desde: 'perros' } },
  'GET /comunidad': { query: { cursor: '{cursor}' } },
  'GET /usuario/[id]': { query: { ...ALBUM, cursor: '{cursor}', tab: 'perros' } },
  'GET /perfil': { query: { ...ALBUM, editar: 'fallo', alias: 'Ana', emoji: '🐕', guardado: '', tab: 'perros' } },
  'GET /perfil/cuenta': { query: { error: '422', hecho: 'si' } },
  'GET /admin': { query: { tab: 'perros', raza: 'beagle', buscar: 'x', cursor: '{cursor}' } },
  'GET /denunciar': {
    query: { tipo: 'perro', id: '{dog}', error: '422', motivo: 'otra', campo: 'palabras', hecho: 'si' },
  },
  'GET /baja': { query: { token: 'x.y.z' } },
  'GET /login': { query: { next: '/perfil', error: 'x', email: 'ana@ejemplo.es' } },
  'GET /login/codigo': { query: { email: 'ana@ejemplo.es', error: '422' } },
  'GET /login/enlace': { query: { token: 'x'.repeat(43) } },
  'GET /notificaciones': { query: { cursor: '{cursor}' } },
  'GET /[breed]/[dog]': { query: { propiedad: '403' } },
  'any /retratos/foto/[slug]': { query: { t: 'card', v: 'x' } },
}

/** Every name of every field: what an address that is not listed above is tried with. */
export const ALL_NAMES: readonly string[] = [
  ...new Set(
    Object.values(FIELDS).flatMap(({ query, json, form, parts }) =>
      Object.keys({ ...query, ...json, ...form, ...parts }),
    ),
  ),
]
