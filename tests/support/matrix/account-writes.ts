import { madridYear } from '#features/years/years.ts'
import { SoftwarePasskey } from '#tests/support/auth/software-authenticator.ts'
import { statusesFor, everyone, members, onlyOwner, writers } from './roles.ts'
import { write, formBody, jsonBody, type Matrix } from './rows.ts'

/** Can be looked back on whatever the day. */
const LAST_YEAR = madridYear(Date.now()) - 1
const NOTICES = { likes: true, comments: true, others: false, quiet: null, time_zone: 'Europe/Madrid', digest: true }

/** Who may come in, and what the account holder does with what is theirs alone. A ban takes none of it away. */
export const accountWrites: Matrix = {
  // A visitor's guesses are in a cookie. Each role has a game of its own.
  'POST /api/reto/[fecha]/guesses': write(
    everyone(200, { expired: 401 }),
    () => '/api/reto/2026-11-02/guesses',
    jsonBody({ breed: 'Beagle' }),
  ),
  // Nothing is stored of a round: it is the same for a session that has ended.
  'POST /api/reto/ronda': write(everyone(200), () => '/api/reto/ronda', jsonBody({ level: 'facil' })),
  'POST /api/reto/ronda/[ronda]': write(
    everyone(404),
    () => `/api/reto/ronda/f${'x'.repeat(28)}`,
    jsonBody({ answer: 1 }),
  ),
  'POST /api/years/[year]/link': write(writers(201), () => `/api/years/${LAST_YEAR}/link`),
  'DELETE /api/years/[year]/link': write(members(204), () => `/api/years/${LAST_YEAR}/link`),
  'DELETE /api/account/memories': write(members(204), () => '/api/account/memories'),
  'POST /api/account/memories': write(everyone(303), () => '/api/account/memories', formBody('x=1')),
  'POST /api/auth/magic-link': write(
    everyone(202),
    () => '/api/auth/magic-link',
    (w) => ({ json: { email: `correo-${w.mark}@ejemplo.es` } }),
  ),
  'POST /api/auth/code': write(
    everyone(422),
    () => '/api/auth/code',
    jsonBody({ email: 'nadie@ejemplo.es', code: '123456' }),
  ),
  'POST /api/auth/intent': write(
    everyone(303),
    () => '/api/auth/intent',
    (w) => formBody(`act=like&id=${w.dog.id}`)(),
  ),
  'POST /api/auth/confirm': write(members(202), () => '/api/auth/confirm'),
  'POST /api/auth/confirm/code': write(members(422), () => '/api/auth/confirm/code', jsonBody({ code: '123456' })),
  // This server is on a bare IP address, where no passkeys are offered (tests/api/auth/passkey-sites.test.ts).
  'POST /api/auth/passkeys/options': write(
    everyone(503, { expired: 401 }),
    () => '/api/auth/passkeys/options',
    jsonBody({ for: 'register' }),
  ),
  'POST /api/auth/passkeys': write(
    everyone(503, { expired: 401 }),
    () => '/api/auth/passkeys',
    jsonBody({ passkey: new SoftwarePasskey().create({ challenge: 'x', rp: { id: 'x' }, user: { id: 'x' } }) }),
  ),
  'POST /api/auth/passkeys/sign-in': write(
    everyone(503),
    () => '/api/auth/passkeys/sign-in',
    jsonBody({ passkey: new SoftwarePasskey().get({ challenge: 'x', rpId: 'x' }, { userHandle: 'x' }) }),
  ),
  'PATCH /api/auth/passkeys/[id]': write(
    onlyOwner(200, 200),
    (w) => `/api/auth/passkeys/${w.passkey}`,
    jsonBody({ name: 'Móvil' }),
  ),
  'DELETE /api/auth/passkeys/[id]': write(onlyOwner(204, 204), (w) => `/api/auth/passkeys/${w.passkey}`),
  'POST /api/auth/passkeys/[id]': write(
    statusesFor(303, 403, { owner: 303, bannedOwner: 303 }),
    (w) => `/api/auth/passkeys/${w.passkey}`,
    formBody('accion=quitar'),
  ),
  'POST /api/auth/recovery': write(everyone(422), () => '/api/auth/recovery', jsonBody({ code: '0'.repeat(16) })),
  'POST /api/auth/link': write(everyone(422), () => '/api/auth/link', jsonBody({ token: 'x'.repeat(43) })),
  'POST /api/auth/sign-out': write(everyone(200), () => '/api/auth/sign-out'),
  // Whoever comes back from a provider without having gone there is sent to /login.
  'POST /api/auth/[provider]/callback': write(everyone(303), () => '/api/auth/apple/callback', formBody('state=x')),
  // Only `npm run dev` has it (integrations/dev-toggle.ts).
  'POST /api/auth/dev': write(everyone(405), () => '/api/auth/dev'),

  'PATCH /api/notifications/[id]': write(
    onlyOwner(200, 200),
    (w) => `/api/notifications/${w.notification}`,
    jsonBody({ is_read: true }),
  ),
  'POST /api/notifications/[id]': write(
    statusesFor(303, 403, { owner: 303, bannedOwner: 303 }),
    (w) => `/api/notifications/${w.notification}`,
    formBody('x=1'),
  ),
  'POST /api/notifications/read-all': write(members(200), () => '/api/notifications/read-all'),
  // This device's browser names a service that is none.
  'POST /api/push': write(members(422), () => '/api/push', jsonBody({ endpoint: 'https://otro.example', keys: {} })),
  'DELETE /api/push': write(members(204), () => '/api/push'),
  // Whoever holds a token (tests/api/notifications/digest.test.ts).
  'POST /api/unsubscribe': write(
    everyone(404),
    () => '/api/unsubscribe?token=x',
    formBody('List-Unsubscribe=One-Click'),
  ),
  'POST /api/digest/unsubscribe': write(
    everyone(404),
    () => '/api/digest/unsubscribe?token=x',
    formBody('List-Unsubscribe=One-Click'),
  ),
  'POST /api/account/first-days': write(members(204), () => '/api/account/first-days', jsonBody({ step: 'alias' })),
  'PUT /api/account/notices': write(members(200), () => '/api/account/notices', jsonBody(NOTICES)),
  // Plain forms answer with a page to go to.
  'POST /api/account/notices': write(
    everyone(303),
    () => '/api/account/notices',
    formBody('likes=on&time_zone=Europe/Madrid'),
  ),
  // Nobody here has asked for another address (tests/api/auth/email-change.test.ts).
  'POST /api/account/email/code': write(members(409), () => '/api/account/email/code', jsonBody({ code: '123456' })),
  // A ban holds for the address, too.
  'POST /api/account/email': write(
    writers(202),
    () => '/api/account/email',
    (w, role) => ({ json: { email: `nuevo-${role.toLowerCase()}-${w.mark}@ejemplo.es` } }),
  ),
  'POST /api/account/recovery-codes': write(members(201), () => '/api/account/recovery-codes'),
  // Whoever holds a token.
  'POST /api/account/undo': write(everyone(404), () => '/api/account/undo', jsonBody({ token: 'x'.repeat(43) })),
  'POST /api/account/disown': write(everyone(404), () => '/api/account/disown', jsonBody({ token: 'x'.repeat(43) })),
  // Of an account that waits for its deletion, which has none of these roles (tests/api/account/pending-deletion.test.ts).
  'POST /api/account/restore': write(statusesFor(401, 404), () => '/api/account/restore', jsonBody({})),
  'POST /api/account/erase': write(statusesFor(401, 404), () => '/api/account/erase'),
  'POST /api/album-link': write(writers(201), () => '/api/album-link'),
  'DELETE /api/album-link': write(members(204), () => '/api/album-link'),
  'POST /perfil/enlace': write(
    statusesFor(303, 200, { banned: 403, bannedOwner: 403 }),
    () => '/perfil/enlace',
    formBody('accion=crear'),
  ),
  'POST /perfil/seguridad': write(statusesFor(303, 200), () => '/perfil/seguridad', formBody('x=1')),
  'DELETE /api/account': write(
    members(204),
    () => '/api/account',
    async (w, role) => ({ json: { dogs: 'keep', alias: await w.aliasOf(role), now: true } }),
  ),
  'POST /api/account': write(everyone(303), () => '/api/account', formBody('dogs=keep&alias=nadie')),
  'DELETE /api/account/sessions': write(members(200), () => '/api/account/sessions'),
  'POST /api/account/sessions': write(everyone(303), () => '/api/account/sessions', formBody('x=1')),
  'DELETE /api/account/sessions/[id]': write(onlyOwner(204, 204), (w) => `/api/account/sessions/${w.session}`),
  'POST /api/account/sessions/[id]': write(
    statusesFor(303, 403, { owner: 303, bannedOwner: 303 }),
    (w) => `/api/account/sessions/${w.session}`,
    formBody('x=1'),
  ),
  'POST /api/account/sessions/[id]/disown': write(
    onlyOwner(200, 200),
    (w) => `/api/account/sessions/${w.session}/disown`,
    jsonBody({}),
  ),
  // Nobody here has linked one (tests/api/auth/oauth/linking.test.ts).
  'DELETE /api/account/providers/[provider]': write(members(404), () => '/api/account/providers/google'),
  'POST /api/account/providers/[provider]': write(
    everyone(303),
    () => '/api/account/providers/google',
    formBody('x=1'),
  ),
  'PUT /api/profile': write(
    writers(200),
    () => '/api/profile',
    (w) => ({ json: { alias: `Eva ${w.mark}`, emoji: '🐕' } }),
  ),
  'PUT /api/lost-alerts': write(
    members(200),
    () => '/api/lost-alerts',
    jsonBody({ zone: 'Getafe', radius_km: 5, breaks_quiet: true, by_mail: true, by_push: true }),
  ),
  'DELETE /api/lost-alerts': write(members(204), () => '/api/lost-alerts'),
  'POST /api/lost-alerts/unsubscribe': write(
    everyone(404),
    () => '/api/lost-alerts/unsubscribe?token=x',
    formBody('List-Unsubscribe=One-Click'),
  ),
  'PUT /api/profile/home-zone': write(
    members(200),
    () => '/api/profile/home-zone',
    jsonBody({ zone: 'Getafe', alert: 25, digest: true }),
  ),
  'DELETE /api/profile/home-zone': write(members(204), () => '/api/profile/home-zone'),
  'POST /api/profile/home-zone': write(
    everyone(303),
    () => '/api/profile/home-zone',
    formBody('zone=Getafe&alert=no&radius_km=5'),
  ),
  'POST /api/profile': write(everyone(303), () => '/api/profile', formBody('alias=Eva&emoji=🐕')),
}
