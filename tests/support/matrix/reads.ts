import { FILE_READS } from './file-reads.ts'
import { OWNER, UNBLOCKED, everyone, members, toOwner } from './roles.ts'
import {
  DOG_TO_ALL,
  EMAIL_TO_NOBODY,
  EMAIL_TO_OWNER,
  HELD_TO_NOBODY,
  HOME_ZONE_TO_OWNER,
  LOST_ZONE_TO_OWNER,
  matrix,
  type Matrix,
  ownerAlias,
  read,
  readAt,
  visibleTo,
  word,
} from './rows.ts'

/** What is read of a dog that is out of sight: nothing, by its own people neither. The page is what shows it to them. */
const HIDDEN_DOG_ROW = read(everyone(404), HELD_TO_NOBODY)

/** API reads about the requester and nobody else. */
const ownReads = matrix({
  'GET /api/session': read(everyone(200), EMAIL_TO_OWNER),
  'GET /api/activity': read(members(200), HELD_TO_NOBODY),
  'GET /api/likes': read(
    members(200),
    visibleTo((w) => w.loved.id, OWNER),
  ),
  'GET /api/notifications': read(members(200), visibleTo(word('Aviso'), OWNER)),
  'GET /api/push': read(members(200)),
  'GET /api/account/notices': read(members(200)),
  'GET /api/missing-nearby': read(members(200), HELD_TO_NOBODY),
  'GET /api/lost-alerts': read(members(200), LOST_ZONE_TO_OWNER),
  'GET /api/profile/home-zone': read(members(200), HOME_ZONE_TO_OWNER),
  'GET /api/account/sessions': read(
    members(200),
    visibleTo((w) => w.session, OWNER),
  ),
  // A zip; whose it is tests/api/account/export.test.ts reads.
  'GET /api/account/export': read(members(200)),
  'GET /api/profile/alias': readAt('/api/profile/alias?alias=Ana%20{mark}', everyone(200), EMAIL_TO_NOBODY),
})

/** API reads that are public, and whom they leave out. */
const publicReads = matrix({
  'GET /api/today': read(everyone(200), HELD_TO_NOBODY),
  'GET /api/breeds': read(everyone(200)),
  'GET /api/proof-of-work': readAt('/api/proof-of-work?for=sign-in', everyone(200)),
  'GET /api/geocode': readAt('/api/geocode?q=Madrid', everyone(200)),
  'GET /api/places': readAt('/api/places?q=Madrid', everyone(200)),
  'GET /api/breed-detection': read(everyone(200)),
  'GET /api/map': readAt('/api/map?bbox=-10,35,5,45&zoom=5', everyone(200), HELD_TO_NOBODY),
  'GET /api/map/lost': readAt('/api/map/lost?bbox=-10,35,5,45', everyone(200), HELD_TO_NOBODY),
  'GET /api/map/dogs': readAt('/api/map/dogs?bbox=-10,35,5,45', everyone(200), HELD_TO_NOBODY),
  'GET /api/dogs': readAt('/api/dogs?limit=100', everyone(200), DOG_TO_ALL, HELD_TO_NOBODY, EMAIL_TO_NOBODY),
  'GET /api/dogs/[id]': read(everyone(200), DOG_TO_ALL, EMAIL_TO_NOBODY),
  'GET /api/dogs/[id] · out of sight': HIDDEN_DOG_ROW,
  'GET /api/dogs/[id]/likes': readAt('/api/dogs/{loved}/likes', everyone(200), visibleTo(ownerAlias, UNBLOCKED)),
  'GET /api/dogs/[id]/likes · out of sight': HIDDEN_DOG_ROW,
  'GET /api/dogs/[id]/comments': readAt(
    '/api/dogs/{loved}/comments',
    everyone(200),
    visibleTo(word('Hola'), UNBLOCKED),
    visibleTo(ownerAlias, UNBLOCKED),
  ),
  'GET /api/dogs/[id]/sightings': read(members(403, toOwner(404))),
  'GET /api/dogs/[id]/sightings · out of sight': read(members(404)),
  'GET /api/sightings/[id]/photo': read(members(404)),
  // tests/api/contact has one with its people.
  'GET /api/messages/[id]': read(everyone(404)),
  'GET /api/found/[id]/photo': read(everyone(404)),
  'GET /api/dogs/[id]/comments · out of sight': HIDDEN_DOG_ROW,
  // Not set up here: people are led back to /login, programs told so (tests/api/oauth-*.test.ts).
  'GET /api/auth/[provider]': readAt('/api/auth/google', everyone(503)),
  'GET /api/auth/[provider]/callback': readAt('/api/auth/google/callback?state=x', everyone(503)),
  'GET /api/unsubscribe': readAt('/api/unsubscribe?token=x', everyone(303)),
  'GET /api/digest/unsubscribe': readAt('/api/digest/unsubscribe?token=x', everyone(303)),
  'GET /api/message-mails/unsubscribe': readAt('/api/message-mails/unsubscribe?token=x', everyone(303)),
  'GET /api/lost-alerts/unsubscribe': readAt('/api/lost-alerts/unsubscribe?token=x', everyone(303)),
})

/** What Node answers before Astro. Pictures are the same for everyone and kept by caches for ever. */
const readsBeforeAstro = matrix({
  // Its token is the operator's, no session opens it.
  'GET /metrics': read(everyone(401)),
  'GET /api/events': read(everyone(200)),
  'GET /photos/[name]': readAt('{photo}', everyone(200)),
  'GET /photos/[name] · out of sight': readAt('/photos/{heldPhoto}', everyone(404)),
  // One address answers it, and only its people and the admin.
  'GET /api/held-photos/[name]': read(everyone(404, { owner: 200, bannedOwner: 200, admin: 200 })),
  'GET /_ipx/[size]/photos/[name] · out of sight': readAt('/_ipx/q_90,s_120x120/photos/{heldPhoto}', everyone(404)),
  'GET /_ipx/[size]/photos/[name]': readAt('/_ipx/q_90,s_120x120{photo}', everyone(200)),
  'GET /_astro/[name]': readAt('/_astro/no-existe.js', everyone(404)),
  'GET /sw.js': read(everyone(200)),
  'GET /manifest.webmanifest': read(everyone(200)),
})

/** What is read by programs and by scripts of pages. */
export const READS: Matrix = { ...ownReads, ...publicReads, ...readsBeforeAstro, ...FILE_READS }
