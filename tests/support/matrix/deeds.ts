import { formOf } from '../api.ts'
import { answers, everyone, meeting, members, onlyAdmin, onlyOwner, writers } from './roles.ts'
import { deed, form, json, type Matrix, withPhoto } from './rows.ts'

const NOTICES = { likes: true, comments: true, others: false, quiet: null, time_zone: 'Europe/Madrid', digest: true }

/** Who may come in, and what the account holder does with what is theirs alone. A ban takes none of it away. */
const account: Matrix = {
  'POST /api/auth/magic-link': deed(
    everyone(202),
    () => '/api/auth/magic-link',
    (w) => ({ json: { email: `correo-${w.mark}@ejemplo.es` } }),
  ),
  'POST /api/auth/code': deed(
    everyone(422),
    () => '/api/auth/code',
    json({ email: 'nadie@ejemplo.es', code: '123456' }),
  ),
  'POST /api/auth/confirm': deed(members(202), () => '/api/auth/confirm'),
  'POST /api/auth/confirm/code': deed(members(422), () => '/api/auth/confirm/code', json({ code: '123456' })),
  'POST /api/auth/link': deed(everyone(422), () => '/api/auth/link', json({ token: 'x'.repeat(43) })),
  'POST /api/auth/sign-out': deed(everyone(200), () => '/api/auth/sign-out'),
  // Whoever comes back from a provider without having gone there is sent to /login.
  'POST /api/auth/[provider]/callback': deed(everyone(303), () => '/api/auth/apple/callback', form('state=x')),
  // Only `npm run dev` has it (integrations/devToggle.ts).
  'POST /api/auth/dev': deed(everyone(404), () => '/api/auth/dev'),

  'PATCH /api/notifications/[id]': deed(
    onlyOwner(200, 200),
    (w) => `/api/notifications/${w.notification}`,
    json({ is_read: true }),
  ),
  'POST /api/notifications/[id]': deed(
    answers(303, 403, { owner: 303, bannedOwner: 303 }),
    (w) => `/api/notifications/${w.notification}`,
    form('x=1'),
  ),
  'POST /api/notifications/read-all': deed(members(200), () => '/api/notifications/read-all'),
  // This device's browser names a service that is none.
  'POST /api/push': deed(members(422), () => '/api/push', json({ endpoint: 'https://otro.example', keys: {} })),
  'DELETE /api/push': deed(members(204), () => '/api/push'),
  // Whoever holds a token (tests/api/digest.test.ts).
  'POST /api/digest/unsubscribe': deed(
    everyone(404),
    () => '/api/digest/unsubscribe?token=x',
    form('List-Unsubscribe=One-Click'),
  ),
  'PUT /api/account/notices': deed(members(200), () => '/api/account/notices', json(NOTICES)),
  // Plain forms answer with a page to go to.
  'POST /api/account/notices': deed(
    everyone(303),
    () => '/api/account/notices',
    form('likes=on&time_zone=Europe/Madrid'),
  ),
  'DELETE /api/account': deed(
    members(204),
    () => '/api/account',
    async (w, role) => ({ json: { dogs: 'keep', alias: await w.aliasOf(role) } }),
  ),
  'POST /api/account': deed(everyone(303), () => '/api/account', form('dogs=keep&alias=nadie')),
  'DELETE /api/account/sessions': deed(members(200), () => '/api/account/sessions'),
  'POST /api/account/sessions': deed(everyone(303), () => '/api/account/sessions', form('x=1')),
  'DELETE /api/account/sessions/[id]': deed(onlyOwner(204, 204), (w) => `/api/account/sessions/${w.session}`),
  'POST /api/account/sessions/[id]': deed(
    answers(303, 403, { owner: 303, bannedOwner: 303 }),
    (w) => `/api/account/sessions/${w.session}`,
    form('x=1'),
  ),
  'PUT /api/profile': deed(
    writers(200),
    () => '/api/profile',
    (w) => ({ json: { alias: `Eva ${w.mark}`, emoji: '🐕' } }),
  ),
  'POST /api/profile': deed(everyone(303), () => '/api/profile', form('alias=Eva&emoji=🐕')),
}

const dogs: Matrix = {
  'POST /api/dogs': deed(
    everyone(201, { banned: 403, bannedOwner: 403 }),
    () => '/api/dogs',
    withPhoto('images', { name: 'Toby', breed: 'Beagle' }),
  ),
  // This server has no key for it; with one everyone may ask (tests/api/detection.test.ts).
  'POST /api/breed-detection': deed(everyone(503), () => '/api/breed-detection', withPhoto('image', {})),
  'PATCH /api/dogs/[id]': deed(onlyOwner(200, 403), (w) => `/api/dogs/${w.dog.id}`, json({ name: 'Tobías' })),
  'PATCH /api/dogs/[id] · out of sight': deed(
    answers(401, 404, { owner: 409, bannedOwner: 409 }),
    (w) => `/api/dogs/${w.held.id}`,
    json({ name: 'Tobías' }),
  ),
  'PUT /api/dogs/[id]/images · out of sight': deed(
    answers(401, 404, { owner: 409, bannedOwner: 409 }),
    (w) => `/api/dogs/${w.held.id}/images`,
    (w) => ({ form: formOf({ images: w.held.photo_url }) }),
  ),
  'DELETE /api/dogs/[id] · out of sight': deed(
    answers(401, 404, { owner: 204, bannedOwner: 204 }),
    (w) => `/api/dogs/${w.held.id}`,
  ),
  // Taking back what is one's own stays.
  'DELETE /api/dogs/[id]': deed(onlyOwner(204, 204), (w) => `/api/dogs/${w.dog.id}`),
  'PUT /api/dogs/[id]/images': deed(
    onlyOwner(200, 403),
    (w) => `/api/dogs/${w.dog.id}/images`,
    (w) => ({ form: formOf({ images: w.dog.photo_url }) }),
  ),
  'PUT /api/dogs/[id]/like': deed(meeting(200), (w) => `/api/dogs/${w.dog.id}/like`),
  'PUT /api/dogs/[id]/like · out of sight': deed(
    members(404, { banned: 403, bannedOwner: 403 }),
    (w) => `/api/dogs/${w.held.id}/like`,
  ),
  'DELETE /api/dogs/[id]/like': deed(members(200), (w) => `/api/dogs/${w.dog.id}/like`),
  'POST /api/dogs/[id]/comments': deed(
    meeting(201),
    (w) => `/api/dogs/${w.dog.id}/comments`,
    json({ content: 'Hola' }),
  ),
  'POST /api/dogs/[id]/comments · out of sight': deed(
    members(404, { banned: 403, bannedOwner: 403 }),
    (w) => `/api/dogs/${w.held.id}/comments`,
    json({ content: 'Hola' }),
  ),
  'DELETE /api/comments/[id]': deed(onlyOwner(204, 204), (w) => `/api/comments/${w.comment}`),
  // Only the device that added it holds its token.
  'POST /api/dogs/[id]/association': deed(
    members(403, { holder: 200 }),
    (w) => `/api/dogs/${w.unclaimed.id}/association`,
    (w, role) => ({ json: { ownershipType: 'owner', token: role === 'holder' ? w.unclaimed.token : 'x'.repeat(43) } }),
  ),
  'POST /api/dogs/[id]/association · with the token': deed(
    writers(200),
    (w) => `/api/dogs/${w.unclaimed.id}/association`,
    (w) => ({ json: { ownershipType: 'discoverer', token: w.unclaimed.token } }),
  ),
  // Its discoverer says so in the form.
  'POST /api/dogs/[id]/ownership': deed(meeting(204, { owner: 409 }), (w) => `/api/dogs/${w.stray.id}/ownership`),
  // Taking back what one never said is done already.
  'DELETE /api/dogs/[id]/ownership': deed(members(204), (w) => `/api/dogs/${w.found.id}/ownership`),
  'POST /api/dogs/[id]/ownership/[userId]': deed(
    onlyOwner(204, 403),
    (w) => `/api/dogs/${w.found.id}/ownership/${w.other.id}`,
    json({ accept: true }),
  ),
}

const moderation: Matrix = {
  // Nobody reports what is theirs. Who was blocked, or blocked, may still report.
  'POST /api/reports': deed(
    writers(201, { owner: 422 }),
    () => '/api/reports',
    (w) => ({ json: { kind: 'dog', id: w.dog.id, reason: 'spam' } }),
  ),
  // Nobody blocks themselves.
  'PUT /api/blocks/[id]': deed(members(200, { owner: 422, bannedOwner: 422 }), (w) => `/api/blocks/${w.owner.id}`),
  'DELETE /api/blocks/[id]': deed(members(200), (w) => `/api/blocks/${w.owner.id}`),
  'POST /api/blocks/[id]': deed(
    everyone(303, { owner: 422, bannedOwner: 422 }),
    (w) => `/api/blocks/${w.owner.id}`,
    form('que=bloquear'),
  ),
  // Whoever was banned may answer, too.
  'POST /api/decisions/[id]/appeal': deed(
    onlyOwner(200, 200),
    (w) => `/api/decisions/${w.decision}/appeal`,
    json({ text: 'No es publicidad.' }),
  ),
  'POST /api/admin/cases/[id]': deed(
    onlyAdmin(200),
    (w) => `/api/admin/cases/${w.case}`,
    json({ deed: 'warn', reason: 'Es publicidad.' }),
  ),
  'PUT /api/admin/members/[id]/verified': deed(
    onlyAdmin(200),
    (w) => `/api/admin/members/${w.owner.id}/verified`,
    json({ verified: true }),
  ),
  'POST /api/admin/members/[id]/verified': deed(
    answers(401, 403, { admin: 303 }),
    (w) => `/api/admin/members/${w.owner.id}/verified`,
    form('verified=1'),
  ),
  'POST /api/admin/members/[id]/word': deed(
    onlyAdmin(200),
    (w) => `/api/admin/members/${w.owner.id}/word`,
    json({ content: 'Hola' }),
  ),
  // The breed's page itself takes the admin's edit.
  'POST /razas/[raza]': deed(answers(401, 403, { admin: 303 }), () => '/razas/beagle', form('accion=deshacer')),
}

/** What answers everyone alike and keeps nothing. */
const nothing: Matrix = {
  'POST /compartir': deed(everyone(303), () => '/compartir', form('x=1')),
  'ALL /api/[...rest]': deed(everyone(404), () => '/api/no-existe', json({})),
  'ALL /fragments/[...rest]': deed(everyone(404), () => '/fragments/no-existe', json({})),
}

/** Every call that may change something. */
export const DEEDS: Matrix = { ...account, ...dogs, ...moderation, ...nothing }
