import { SoftwarePasskey } from '#tests/support/auth/software-authenticator.ts'
import { everyone, members, onlyOwner, statusesFor, toOwner, writers } from './roles.ts'
import { form, json, matrix, write, writeAt } from './rows.ts'

const NOTICES = { likes: true, comments: true, others: false, quiet: null, time_zone: 'Europe/Madrid', digest: true }

/** Who may come in, and what the account holder does with what is theirs alone. A ban takes none of it away. */
export const accountWrites = matrix({
  // A visitor's guesses are in a cookie. Each role has a game of its own.
  'POST /api/reto/[fecha]/guesses': writeAt(
    '/api/reto/2026-11-02/guesses',
    everyone(200, { expired: 401 }),
    json({ breed: 'Beagle' }),
  ),
  // Nothing is stored of a round: it is the same for a session that has ended.
  'POST /api/reto/ronda': write(everyone(200), json({ level: 'facil' })),
  'POST /api/reto/ronda/[ronda]': write(everyone(404), json({ answer: 1 })),
  'POST /api/years/[year]/link': write(writers(201)),
  'DELETE /api/years/[year]/link': write(members(204)),
  'DELETE /api/account/memories': write(members(204)),
  'POST /api/account/memories': write(everyone(303), form('x=1')),
  'POST /api/auth/magic-link': write(everyone(202), (w) => ({ json: { email: `correo-${w.mark}@ejemplo.es` } })),
  'POST /api/auth/code': write(everyone(422), json({ email: 'nadie@ejemplo.es', code: '123456' })),
  'POST /api/auth/intent': write(everyone(303), (w) => form(`act=like&id=${w.dog.id}`)),
  'POST /api/auth/confirm': write(members(202)),
  'POST /api/auth/confirm/code': write(members(422), json({ code: '123456' })),
  // This server is on a bare IP address, where no passkeys are offered (tests/api/auth/passkey-sites.test.ts).
  'POST /api/auth/passkeys/options': write(everyone(503, { expired: 401 }), json({ for: 'register' })),
  'POST /api/auth/passkeys': write(
    everyone(503, { expired: 401 }),
    json({ passkey: new SoftwarePasskey().create({ challenge: 'x', rp: { id: 'x' }, user: { id: 'x' } }) }),
  ),
  'POST /api/auth/passkeys/sign-in': write(
    everyone(503),
    json({ passkey: new SoftwarePasskey().get({ challenge: 'x', rpId: 'x' }, { userHandle: 'x' }) }),
  ),
  'PATCH /api/auth/passkeys/[id]': write(onlyOwner(200, 200), json({ name: 'Móvil' })),
  'DELETE /api/auth/passkeys/[id]': write(onlyOwner(204, 204)),
  'POST /api/auth/passkeys/[id]': write(statusesFor(303, 403, toOwner(303)), form('accion=quitar')),
  'POST /api/auth/recovery': write(everyone(422), json({ code: '0'.repeat(16) })),
  'POST /api/auth/link': write(everyone(422), json({ token: 'x'.repeat(43) })),
  'POST /api/auth/sign-out': write(everyone(200)),
  // Whoever comes back from a provider without having gone there is sent to /login.
  'POST /api/auth/[provider]/callback': writeAt('/api/auth/apple/callback', everyone(303), form('state=x')),
  // Only `npm run dev` has it (integrations/dev-toggle.ts).
  'POST /api/auth/dev': write(everyone(405)),

  'PATCH /api/notifications/[id]': write(onlyOwner(200, 200), json({ is_read: true })),
  'POST /api/notifications/[id]': write(statusesFor(303, 403, toOwner(303)), form('x=1')),
  'POST /api/notifications/read-all': write(members(200)),
  // This device's browser names a service that is none.
  'POST /api/push': write(members(422), json({ endpoint: 'https://otro.example', keys: {} })),
  'DELETE /api/push': write(members(204)),
  // Whoever holds a token (tests/api/notifications/digest.test.ts).
  'POST /api/unsubscribe': writeAt('/api/unsubscribe?token=x', everyone(404), form('List-Unsubscribe=One-Click')),
  'POST /api/digest/unsubscribe': writeAt(
    '/api/digest/unsubscribe?token=x',
    everyone(404),
    form('List-Unsubscribe=One-Click'),
  ),
  'POST /api/account/first-days': write(members(204), json({ step: 'alias' })),
  'PUT /api/account/notices': write(members(200), json(NOTICES)),
  // Plain forms answer with a page to go to.
  'POST /api/account/notices': write(everyone(303), form('likes=on&time_zone=Europe/Madrid')),
  // Nobody here has asked for another address (tests/api/auth/email-change.test.ts).
  'POST /api/account/email/code': write(members(409), json({ code: '123456' })),
  // A ban holds for the address, too.
  'POST /api/account/email': write(writers(202), (w, role) => ({
    json: { email: `nuevo-${role.toLowerCase()}-${w.mark}@ejemplo.es` },
  })),
  'POST /api/account/recovery-codes': write(members(201)),
  // Whoever holds a token.
  'POST /api/account/undo': write(everyone(404), json({ token: 'x'.repeat(43) })),
  'POST /api/account/disown': write(everyone(404), json({ token: 'x'.repeat(43) })),
  // Of an account that waits for its deletion, which has none of these roles (tests/api/account/pending-deletion.test.ts).
  'POST /api/account/restore': write(statusesFor(401, 404), json({})),
  'POST /api/account/erase': write(statusesFor(401, 404)),
  'POST /api/album-link': write(writers(201)),
  'DELETE /api/album-link': write(members(204)),
  'POST /perfil/enlace': write(statusesFor(303, 200, { banned: 403, bannedOwner: 403 }), form('accion=crear')),
  'POST /perfil/seguridad': write(statusesFor(303, 200), form('x=1')),
  'DELETE /api/account': write(members(204), async (w, role) => ({
    json: { dogs: 'keep', alias: await w.aliasOf(role), now: true },
  })),
  'POST /api/account': write(everyone(303), form('dogs=keep&alias=nadie')),
  'DELETE /api/account/sessions': write(members(200)),
  'POST /api/account/sessions': write(everyone(303), form('x=1')),
  'DELETE /api/account/sessions/[id]': write(onlyOwner(204, 204)),
  'POST /api/account/sessions/[id]': write(statusesFor(303, 403, toOwner(303)), form('x=1')),
  'POST /api/account/sessions/[id]/disown': write(onlyOwner(200, 200), json({})),
  // Nobody here has linked one (tests/api/auth/oauth/linking.test.ts).
  'DELETE /api/account/providers/[provider]': writeAt('/api/account/providers/google', members(404)),
  'POST /api/account/providers/[provider]': writeAt('/api/account/providers/google', everyone(303), form('x=1')),
  'PUT /api/profile': write(writers(200), (w) => ({ json: { alias: `Eva ${w.mark}`, emoji: '🐕' } })),
  'PUT /api/lost-alerts': write(
    members(200),
    json({ zone: 'Getafe', radius_km: 5, breaks_quiet: true, by_mail: true, by_push: true }),
  ),
  'DELETE /api/lost-alerts': write(members(204)),
  'POST /api/lost-alerts/unsubscribe': writeAt(
    '/api/lost-alerts/unsubscribe?token=x',
    everyone(404),
    form('List-Unsubscribe=One-Click'),
  ),
  'PUT /api/profile/home-zone': write(members(200), json({ zone: 'Getafe', alert: 25, digest: true })),
  'DELETE /api/profile/home-zone': write(members(204)),
  'POST /api/profile/home-zone': write(everyone(303), form('zone=Getafe&alert=no&radius_km=5')),
  'POST /api/profile': write(everyone(303), form('alias=Eva&emoji=🐕')),
})
