import { FREE_TEXT_NAMES } from '#features/dogs/write/dog-fields.ts'
import { LOST_FIELDS } from './lost-fields.ts'
import { FOUND_FIELDS } from './found-fields.ts'
import { CONTACT_FIELDS } from './contact-fields.ts'
import { SIGHTING_FIELDS } from './sighting-fields.ts'
import type { SoakRole } from '#tests/support/matrix/soak-roles.ts'

/**
 * Right values of every field that an address reads, so that a request goes wrong in one place at a time and gets as deep
 * as it can. What is not listed here is sent the names of all others (`ALL_NAMES`). `{dog}` and the like stand for what
 * there is in the world the request is sent to (world.ts). tests/api/robustness/valid-requests.test.ts asks each of them.
 */
export interface RouteFields {
  query?: Record<string, string>
  json?: Record<string, unknown>
  /** urlencoded. */
  form?: Record<string, string>
  /** multipart; `{jpeg}` is a photo. */
  parts?: Record<string, string>
  headers?: Record<string, string>
  /** The intended actor; the owner by default. */
  as?: SoakRole
  /** Where it is about something else than path-params.ts says. */
  path?: string
}

/** The same as JSON and as a form. */
export const both = (fields: Record<string, string>): RouteFields => ({ json: fields, form: fields })

const SIGN_IN_ADDRESS = { email: 'nadie@ejemplo.es', hueso: '' }
const DOG_FIELDS = {
  name: 'Toby',
  breed: 'Beagle',
  age: '3',
  age_unit: 'años',
  weight: '12.5',
  size: 'mediano',
  zone: 'Getafe, Madrid',
  is_adopted: 'true',
  ...Object.fromEntries(FREE_TEXT_NAMES.map((name) => [name, 'Le gusta el agua.'])),
  relationship: 'owner',
}
const LIST_QUERY = { breed: 'beagle', size: 'mediano', sort: 'votes-desc', cursor: '{votesCursor}', limit: '10' }
const ALBUM_QUERY = { album: 'mios', buscar: 'galgo', modo: 'todas', orden: 'estado', pagina: '2', vista: 'lista' }
const MAP_QUERY = { view: 'map', lat: '40', lon: '-3', zoom: '9' }
const NOTICE_SETTINGS = {
  likes: true,
  comments: true,
  others: false,
  quiet: { from: '22:00', to: '08:00' },
  time_zone: 'Europe/Madrid',
  digest: true,
}
const BREED_FIELDS = {
  nombre_castellano: 'Galgo español',
  nombre_original: 'Galgo español',
  temperamento: 'Tranquilo y noble',
  pelaje: 'Corto o duro',
  pais_origen: 'España',
  proposito_original: 'Caza de liebres',
}
const CREDENTIAL = { id: 'bGxhdmU', rawId: 'bGxhdmU', type: 'public-key' }
const passkey = (response: object): RouteFields => ({
  json: { passkey: { ...CREDENTIAL, response: { clientDataJSON: 'e30', ...response } } },
  as: 'anonymous',
})
const CODE_SIGN_IN = { email: '{mailed}', code: '{code}' }
const DECISION = { deed: 'hide', reason: 'Es publicidad.' }

/** `METHOD address`, or `any address`. */
export const VALID_FIELDS: Record<string, RouteFields> = {
  'POST /api/auth/magic-link': both(SIGN_IN_ADDRESS),
  'POST /api/auth/code': { ...both(CODE_SIGN_IN), as: 'anonymous' },
  'POST /api/auth/link': { json: { token: '{linkToken}' }, form: { token: '{linkToken}' }, as: 'anonymous' },
  'POST /api/auth/confirm': { json: {}, form: {} },
  'POST /api/auth/confirm/code': { json: { code: '{confirmCode}' }, form: { code: '{confirmCode}' } },
  'POST /api/auth/passkeys/options': { json: { for: 'sign-in' } },
  'POST /api/auth/passkeys': passkey({ attestationObject: 'o2NmbXQ', transports: ['usb'] }),
  'POST /api/auth/passkeys/sign-in': passkey({ authenticatorData: 'eA', signature: 'eA' }),
  'PATCH /api/auth/passkeys/[id]': { json: { name: 'Móvil' } },
  'POST /api/auth/passkeys/[id]': { form: { accion: 'renombrar', name: 'Móvil' } },
  'POST /api/auth/recovery': { ...both({ code: '{recoveryCode}' }), as: 'anonymous' },
  'POST /api/account/email': both({ email: 'nuevo-{dog8}@ejemplo.es' }),
  'POST /api/account/email/code': { json: { code: '{addressCode}' }, form: { code: '{addressCode}' } },
  'POST /api/account/undo': { json: { token: '{undoToken}' }, form: { token: '{undoToken}' }, as: 'anonymous' },
  'POST /api/account/disown': { json: { token: '{disownToken}' }, form: { token: '{disownToken}' }, as: 'anonymous' },
  'GET /no-he-sido-yo': { query: { token: '{disownToken}' }, as: 'anonymous' },
  'POST /api/account/sessions/[id]/disown': { json: {}, form: {} },
  'GET /perfil/seguridad': { query: { cursor: '{securityCursor}', error: '422', a: '{decision}', hecho: 'si' } },
  'POST /api/account/restore': { ...both({ token: '{deletionToken}' }), as: 'anonymous' },
  'POST /api/account/erase': { form: {}, headers: { Cookie: 'perrario={leavingSession}' }, as: 'anonymous' },
  'GET /recuperar': { query: { token: '{deletionToken}' }, as: 'anonymous' },
  'GET /deshacer': { query: { token: '{undoToken}' }, as: 'anonymous' },
  'GET /login/recuperar': { as: 'anonymous' },
  'POST /perfil/seguridad': { form: {} },
  'POST /perfil/enlace': { form: { accion: 'crear' } },
  'GET /me-falta': { query: { ...ALBUM_QUERY, enlace: '{albumToken}' }, as: 'anonymous' },
  'any /api/auth/[provider]/callback': {
    query: { state: 'x', code: 'y', error: 'access_denied' },
    form: { state: 'x', code: 'y', user: '{"name":{"firstName":"Ana"}}', id_token: 'a.b.c' },
  },
  'any /api/auth/[provider]': { query: { next: '/perfil', para: 'confirmar' }, as: 'anonymous' },
  'POST /api/years/[year]/link': { json: {}, form: { que: 'retirar' } },
  'POST /api/account/memories': { form: {} },
  'GET /perfil/[year]': { query: { enlace: 'retirado' } },
  'POST /api/reto/[fecha]/guesses': { json: { breed: 'Beagle' }, form: { breed: 'Caniche' } },
  'POST /api/reto/ronda': { json: { level: 'normal' }, form: { level: 'normal' } },
  'POST /api/reto/ronda/[ronda]': { json: { answer: 2 }, form: { answer: '2' } },
  'GET /reto/ronda/[ronda]': { query: { aviso: 'respuesta' } },
  'POST /api/dogs': {
    parts: { ...DOG_FIELDS, hueso: '', open_for_ms: '5000', member: '', images: '{jpeg}', alts: 'En el río.' },
  },
  'GET /api/dogs': { query: LIST_QUERY },
  'PATCH /api/dogs/[id]': { json: { ...DOG_FIELDS, age: 3, weight: 12.5, is_adopted: true, frame: null } },
  'PUT /api/dogs/[id]/images': { parts: { images: '{photo}', 'images ': '{jpeg}', alts: 'En el río.' } },
  'POST /api/dogs/[id]': { form: {} },
  'POST /api/dogs/[id]/frame': { form: { frame: '' } },
  'GET /api/dogs/[id]/likes': { query: { cursor: '{likersCursor}', limit: '10' } },
  'GET /api/dogs/[id]/comments': { query: { cursor: '{commentsCursor}', limit: '10' } },
  'POST /api/dogs/[id]/comments': { json: { content: 'Hola' } },
  'POST /api/dogs/[id]/association': {
    path: '/api/dogs/{unclaimed}/association',
    json: { ownershipType: 'owner', token: '{token}' },
  },
  'POST /api/dogs/[id]/ownership': {
    path: '/api/dogs/{stray}/ownership',
    json: {},
    form: { withdraw: '1' },
    as: 'other',
  },
  'DELETE /api/dogs/[id]/ownership': { path: '/api/dogs/{found}/ownership', as: 'other' },
  'POST /api/dogs/[id]/ownership/[userId]': {
    path: '/api/dogs/{found}/ownership/{other}',
    json: { accept: true },
    form: { accept: 'true' },
  },
  'POST /api/breed-detection': { parts: { image: '{jpeg}' } },
  'PATCH /api/notifications/[id]': { json: { is_read: true } },
  'GET /api/likes': { query: { dogs: '{dog},{stray}' } },
  'POST /api/push': { json: { endpoint: '{device}', keys: { p256dh: '{deviceKey}', auth: '{deviceSecret}' } } },
  'any /api/unsubscribe': { query: { token: '{digestToken}' }, form: { 'List-Unsubscribe': 'One-Click' } },
  'any /api/digest/unsubscribe': { query: { token: '{digestToken}' }, form: { 'List-Unsubscribe': 'One-Click' } },
  'POST /api/auth/intent': { form: { act: 'comment', id: '{dog}', text: 'Qué guapo.' } },
  'POST /api/account/first-days': { json: { step: 'alias' }, form: { step: 'all' } },
  'PUT /api/account/notices': { json: NOTICE_SETTINGS },
  'POST /api/account/notices': {
    form: { likes: 'on', time_zone: 'Europe/Madrid', quiet: 'on', from: '22:00', to: '08:00', has_digest: '1' },
  },
  'PUT /api/profile/home-zone': { json: { zone: 'Getafe', alert: 25, digest: true } },
  'POST /api/profile/home-zone': {
    form: {
      zone: 'Getafe',
      alert: 'province',
      digest: 'on',
      has_digest: '1',
      radius_km: '10',
      breaks_quiet: 'on',
      by_mail: 'on',
      by_push: 'on',
      accion: 'guardar',
    },
  },
  'PUT /api/profile': { json: { alias: 'Ana {dog8}', emoji: '🐕' } },
  'POST /api/profile': { form: { alias: 'Ana {dog8}', emoji: '🐕' } },
  'GET /api/profile/alias': { query: { alias: 'Ana' } },
  'DELETE /api/account': { json: { dogs: 'keep', alias: '{alias}' } },
  'POST /api/account': { form: { dogs: 'delete', alias: '{alias}' } },
  'POST /api/reports': {
    json: { kind: 'dog', id: '{dog}', reason: 'otra', words: 'Es un gato.' },
    form: { kind: 'perro', id: '{dog}', reason: 'spam', words: 'No.', photo: '{photo}' },
    as: 'other',
  },
  'PUT /api/blocks/[id]': { as: 'other' },
  'DELETE /api/blocks/[id]': { as: 'other' },
  'POST /api/blocks/[id]': { form: { que: 'bloquear', desde: 'cuenta' }, as: 'other' },
  'PUT /api/follows/[kind]/[id]': { path: '/api/follows/breed/beagle' },
  'DELETE /api/follows/[kind]/[id]': { path: '/api/follows/breed/beagle' },
  'POST /api/follows/[kind]/[id]': { path: '/api/follows/breed/beagle', form: { seguir: '1', desde: 'lista' } },
  'POST /api/follows/zone': { form: { zona: '28' } },
  'GET /perros/siguiendo': { query: { cursor: 'x' } },
  'GET /perfil/siguiendo': { query: { ver: 'mutuos', aviso: 'lleno' } },
  'POST /api/decisions/[id]/appeal': { json: { text: 'No lo es.' }, form: { text: 'No lo es.' } },
  ...SIGHTING_FIELDS,
  ...LOST_FIELDS,
  ...CONTACT_FIELDS,
  ...FOUND_FIELDS,
  'POST /api/admin/cases/[id]': {
    json: { ...DECISION, days: null, version: 0, member: '{owner}' },
    form: { ...DECISION, days: '', orden: 'nuevas', version: '0', member: '{owner}' },
    as: 'admin',
  },
  'PUT /api/admin/members/[id]/verified': { json: { verified: true, alias: '{alias}' }, as: 'admin' },
  'POST /api/admin/members/[id]/verified': {
    form: { verified: '1', alias: '{alias}', q: 'x', cursor: '' },
    as: 'admin',
  },
  'POST /api/admin/members/[id]/word': {
    json: { content: 'Hola' },
    form: { content: 'Hola', q: '', cursor: '' },
    as: 'admin',
  },
  'GET /api/map': { query: { bbox: '-4,40,-3,41', zoom: '9', breed: 'beagle', size: 'pequeño', view: '-4,40,-3,41' } },
  'GET /api/map/dogs': {
    query: {
      bbox: '-4,40,-3,41',
      breed: 'beagle',
      size: 'pequeño',
      sort: 'recent',
      cursor: '{mapCursor}',
      limit: '10',
    },
  },
  'GET /datos/perros.csv': { query: { raza: 'beagle', provincia: 'madrid' } },
  'GET /datos/perros.geojson': { query: { raza: 'beagle', provincia: '28' } },
  'GET /api/proof-of-work': { query: { for: 'dog' } },
  'GET /api/geocode': { query: { q: 'Getafe' } },
  'GET /api/places': { query: { q: 'Getafe' } },
  'GET /api/events': { query: { after: '1', lastEventId: '1' } },
  'POST /compartir': { parts: { title: 'Toby', text: 'Mira', url: 'https://ejemplo.es', photos: '{jpeg}' } },
  'GET /': { query: { ...LIST_QUERY, ...ALBUM_QUERY, ...MAP_QUERY, tab: 'mine', compartido: 'si' } },
  'GET /perros': { query: { ...LIST_QUERY, ...MAP_QUERY } },
  'GET /buscar': { query: { q: 'toby', tipo: 'perros', cursor: '' } },
  'GET /fragments/buscar': { query: { q: 'toby' } },
  'GET /perros/mapa': { query: { ...LIST_QUERY, lat: '40', lon: '-3', zoom: '9' } },
  'GET /perros/mias': { query: ALBUM_QUERY },
  'GET /razas': { query: ALBUM_QUERY },
  'GET /razas/[tipo]/[lista]': { path: '/razas/grupo/6' },
  'GET /razas/que-raza': { query: { casa: 'piso', tiempo: 'poco', clima: 'calor' } },
  'GET /razas/comparar': { query: { a: 'beagle', b: 'boxer', c: 'pug' } },
  'GET /razas/imprimir': { query: { modo: 'mias' } },
  'GET /razas/[raza]': { query: { desde: '{recentCursor}', hecho: 'guardado' } },
  'POST /razas/[raza]': { path: '/razas/galgo-espanol', form: { ...BREED_FIELDS, accion: 'guardar' }, as: 'admin' },
  'GET /comunidad': { query: { cursor: '{rankingCursor}' } },
  'GET /usuario/[id]': { query: { ...ALBUM_QUERY, cursor: '{memberCursor}', lado: 'me-falta', tab: 'perros' } },
  'GET /perfil': {
    query: {
      ...ALBUM_QUERY,
      editar: 'fallo',
      alias: 'Ana',
      emoji: '🐕',
      guardado: '',
      tab: 'likes',
      cursor: '{likedCursor}',
    },
  },
  'GET /perfil/cuenta': { query: { error: 'alias', hecho: 'sesion' } },
  'GET /perfil/avisos': { query: { error: 'lugar', hecho: 'guardada' } },
  'GET /admin': {
    query: {
      tab: 'denuncias',
      orden: 'nuevas',
      clase: 'perro',
      q: '',
      cursor: '{casesCursor}',
      hecho: 'hide',
      error: '409',
      que: 'ban',
      a: '{case}',
    },
    as: 'admin',
  },
  'GET /denunciar': {
    query: { tipo: 'perro', id: '{dog}', error: '422', motivo: 'otra', campo: 'palabras', hecho: 'si' },
    as: 'other',
  },
  'GET /baja': { query: { token: '{digestToken}' } },
  'GET /login': { query: { next: '/perfil', error: 'x', email: 'ana@ejemplo.es' }, as: 'anonymous' },
  'GET /login/codigo': { query: { email: 'ana@ejemplo.es', error: '422' }, as: 'anonymous' },
  'GET /login/enlace': { query: { token: '{linkToken}' }, as: 'anonymous' },
  'GET /notificaciones': { query: { cursor: '{recentCursor}' } },
  'GET /[breed]/[dog]': { query: { propiedad: '403' } },
  'any /retratos/foto/[slug]': { query: { t: 'breed', v: 'x' } },
  'any /tarjetas/[kind]/[name].jpg': { query: { v: 'x' } },
  'GET /metrics': { headers: { Authorization: 'Bearer {metrics}' } },
}

/** Every name of every field: what an address that is not listed above is tried with. */
export const ALL_FIELD_NAMES: readonly string[] = [
  ...new Set(
    Object.values(VALID_FIELDS).flatMap(({ query, json, form, parts }) =>
      Object.keys({ ...query, ...json, ...form, ...parts }),
    ),
  ),
]
