import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { rolesExcept, BLOCKED_ROLES, everyone, members, NO_ROLES, OWNER, ROLES } from './roles.ts'
import { FILE_READS } from './file-reads.ts'
import { type Matrix, read, visibleTo } from './rows.ts'
import { HOME_ZONE, LOST_ZONE, type MatrixWorld } from './world.ts'

const email = (w: MatrixWorld) => w.owner.email!
/** Of the owner, and of nobody else who chose one. */
const homeZone = (_w: MatrixWorld) => HOME_ZONE
const lostZone = (_w: MatrixWorld) => LOST_ZONE
const ownerAlias = (w: MatrixWorld) => w.owner.alias
const heldName = (w: MatrixWorld) => w.held.name
const word = (what: string) => (w: MatrixWorld) => `${what} ${w.mark}`
const page = (w: MatrixWorld) => `/api/dogs/${w.loved.id}`
/** What is read of a dog that is out of sight: nothing, by its own people neither. The page is what shows it to them. */
const hiddenDogRow = (path: string) =>
  read(everyone(404), (w) => `/api/dogs/${w.held.id}${path}`, visibleTo(heldName, NO_ROLES))

/** API reads about the requester and nobody else. */
const ownReads: Matrix = {
  'GET /api/session': read(everyone(200), '/api/session', visibleTo(email, OWNER)),
  'GET /api/activity': read(members(200), '/api/activity', visibleTo(heldName, NO_ROLES)),
  'GET /api/likes': read(
    members(200),
    '/api/likes',
    visibleTo((w) => w.loved.id, OWNER),
  ),
  'GET /api/notifications': read(members(200), '/api/notifications', visibleTo(word('Aviso'), OWNER)),
  'GET /api/push': read(members(200), '/api/push'),
  'GET /api/account/notices': read(members(200), '/api/account/notices'),
  'GET /api/missing-nearby': read(members(200), '/api/missing-nearby', visibleTo(heldName, NO_ROLES)),
  'GET /api/lost-alerts': read(members(200), '/api/lost-alerts', visibleTo(lostZone, OWNER)),
  'GET /api/profile/home-zone': read(members(200), '/api/profile/home-zone', visibleTo(homeZone, OWNER)),
  'GET /api/account/sessions': read(
    members(200),
    '/api/account/sessions',
    visibleTo((w) => w.session, OWNER),
  ),
  // A zip; whose it is tests/api/account/export.test.ts reads.
  'GET /api/account/export': read(members(200), '/api/account/export'),
  'GET /api/profile/alias': read(
    everyone(200),
    (w) => `/api/profile/alias?alias=Ana%20${w.mark}`,
    visibleTo(email, NO_ROLES),
  ),
}

/** API reads that are public, and whom they leave out. */
const publicReads: Matrix = {
  'GET /api/today': read(everyone(200), '/api/today', visibleTo(heldName, NO_ROLES)),
  'GET /api/breeds': read(everyone(200), '/api/breeds'),
  'GET /api/proof-of-work': read(everyone(200), '/api/proof-of-work?for=sign-in'),
  'GET /api/geocode': read(everyone(200), '/api/geocode?q=Madrid'),
  'GET /api/places': read(everyone(200), '/api/places?q=Madrid'),
  'GET /api/breed-detection': read(everyone(200), '/api/breed-detection'),
  'GET /api/map': read(everyone(200), '/api/map?bbox=-10,35,5,45&zoom=5', visibleTo(heldName, NO_ROLES)),
  'GET /api/map/lost': read(everyone(200), '/api/map/lost?bbox=-10,35,5,45', visibleTo(heldName, NO_ROLES)),
  'GET /api/map/dogs': read(everyone(200), '/api/map/dogs?bbox=-10,35,5,45', visibleTo(heldName, NO_ROLES)),
  'GET /api/dogs': read(
    everyone(200),
    '/api/dogs?limit=100',
    visibleTo((w) => w.dog.name, ROLES),
    visibleTo(heldName, NO_ROLES),
    visibleTo(email, NO_ROLES),
  ),
  'GET /api/dogs/[id]': read(
    everyone(200),
    (w) => `/api/dogs/${w.dog.id}`,
    visibleTo((w) => w.dog.name, ROLES),
    visibleTo(email, NO_ROLES),
  ),
  'GET /api/dogs/[id] · out of sight': hiddenDogRow(''),
  'GET /api/dogs/[id]/likes': read(
    everyone(200),
    (w) => `${page(w)}/likes`,
    visibleTo(ownerAlias, rolesExcept(...BLOCKED_ROLES)),
  ),
  'GET /api/dogs/[id]/likes · out of sight': hiddenDogRow('/likes'),
  'GET /api/dogs/[id]/comments': read(
    everyone(200),
    (w) => `${page(w)}/comments`,
    visibleTo(word('Hola'), rolesExcept(...BLOCKED_ROLES)),
    visibleTo(ownerAlias, rolesExcept(...BLOCKED_ROLES)),
  ),
  'GET /api/dogs/[id]/sightings': read(
    members(403, { owner: 404, bannedOwner: 404 }),
    (w) => `/api/dogs/${w.dog.id}/sightings`,
  ),
  'GET /api/dogs/[id]/sightings · out of sight': read(members(404), (w) => `/api/dogs/${w.held.id}/sightings`),
  'GET /api/sightings/[id]/photo': read(members(404), `/api/sightings/${UNKNOWN_ID}/photo`),
  // tests/api/contact has one with its people.
  'GET /api/messages/[id]': read(everyone(404), `/api/messages/${UNKNOWN_ID}`),
  'GET /api/found/[id]/photo': read(everyone(404), `/api/found/${UNKNOWN_ID}/photo`),
  'GET /api/dogs/[id]/comments · out of sight': hiddenDogRow('/comments'),
  // Not set up here: people are led back to /login, programs told so (tests/api/oauth-*.test.ts).
  'GET /api/auth/[provider]': read(everyone(503), '/api/auth/google'),
  'GET /api/auth/[provider]/callback': read(everyone(503), '/api/auth/google/callback?state=x'),
  'GET /api/unsubscribe': read(everyone(303), '/api/unsubscribe?token=x'),
  'GET /api/digest/unsubscribe': read(everyone(303), '/api/digest/unsubscribe?token=x'),
  'GET /api/message-mails/unsubscribe': read(everyone(303), '/api/message-mails/unsubscribe?token=x'),
  'GET /api/lost-alerts/unsubscribe': read(everyone(303), '/api/lost-alerts/unsubscribe?token=x'),
}

/** What Node answers before Astro. Pictures are the same for everyone and kept by caches for ever. */
const readsBeforeAstro: Matrix = {
  // Its token is the operator's, no session opens it.
  'GET /metrics': read(everyone(401), '/metrics'),
  'GET /api/events': read(everyone(200), '/api/events'),
  'GET /photos/[name]': read(everyone(200), (w) => w.photo),
  'GET /photos/[name] · out of sight': read(everyone(404), (w) => w.held.photo_url),
  // One address answers it, and only its people and the admin.
  'GET /api/held-photos/[name]': read(
    everyone(404, { owner: 200, bannedOwner: 200, admin: 200 }),
    (w) => `/api/held-photos/${w.held.photo_url.slice('/photos/'.length)}`,
  ),
  'GET /_ipx/[size]/photos/[name] · out of sight': read(
    everyone(404),
    (w) => `/_ipx/q_90,s_120x120${w.held.photo_url}`,
  ),
  'GET /_ipx/[size]/photos/[name]': read(everyone(200), (w) => `/_ipx/q_90,s_120x120${w.photo}`),
  'GET /_astro/[name]': read(everyone(404), '/_astro/no-existe.js'),
  'GET /sw.js': read(everyone(200), '/sw.js'),
  'GET /manifest.webmanifest': read(everyone(200), '/manifest.webmanifest'),
}

/** What is read by programs and by scripts of pages. */
export const READS: Matrix = { ...ownReads, ...publicReads, ...readsBeforeAstro, ...FILE_READS }
