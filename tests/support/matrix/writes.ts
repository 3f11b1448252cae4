import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import { formOf } from '#tests/support/api.ts'
import { statusesFor, everyone, unblockedWriters, members, onlyAdmin, onlyOwner, writers } from './roles.ts'
import { accountWrites } from './account-writes.ts'
import { write, formBody, jsonBody, type Matrix, photoForm } from './rows.ts'

const dogs: Matrix = {
  'POST /api/dogs': write(
    // What a member sends after their session has ended is not a visitor's.
    everyone(201, { expired: 401, banned: 403, bannedOwner: 403 }),
    () => '/api/dogs',
    photoForm('images', { name: 'Toby', breed: 'Beagle' }),
  ),
  // This server has no key for it; with one everyone may ask (tests/api/dogs/breed-detection.test.ts).
  'POST /api/breed-detection': write(everyone(503), () => '/api/breed-detection', photoForm('image', {})),
  'PATCH /api/dogs/[id]': write(onlyOwner(200, 403), (w) => `/api/dogs/${w.dog.id}`, jsonBody({ name: 'Tobías' })),
  'PATCH /api/dogs/[id] · out of sight': write(
    statusesFor(401, 404, { owner: 409, bannedOwner: 409 }),
    (w) => `/api/dogs/${w.held.id}`,
    jsonBody({ name: 'Tobías' }),
  ),
  'PUT /api/dogs/[id]/images · out of sight': write(
    statusesFor(401, 404, { owner: 409, bannedOwner: 409 }),
    (w) => `/api/dogs/${w.held.id}/images`,
    (w) => ({ form: formOf({ images: w.held.photo_url }) }),
  ),
  'DELETE /api/dogs/[id] · out of sight': write(
    statusesFor(401, 404, { owner: 204, bannedOwner: 204 }),
    (w) => `/api/dogs/${w.held.id}`,
  ),
  // Taking back what is one's own stays.
  'DELETE /api/dogs/[id]': write(onlyOwner(204, 204), (w) => `/api/dogs/${w.dog.id}`),
  // The plain form of the page below.
  'POST /api/dogs/[id]': write(
    statusesFor(303, 403, { owner: 303, bannedOwner: 303 }),
    (w) => `/api/dogs/${w.dog.id}`,
    formBody('x=1'),
  ),
  'POST /api/dogs/[id] · out of sight': write(everyone(303), (w) => `/api/dogs/${w.held.id}`, formBody('x=1')),
  'PUT /api/dogs/[id]/images': write(
    onlyOwner(200, 403),
    (w) => `/api/dogs/${w.dog.id}/images`,
    (w) => ({ form: formOf({ images: w.dog.photo_url }) }),
  ),
  'PUT /api/dogs/[id]/like': write(unblockedWriters(200), (w) => `/api/dogs/${w.dog.id}/like`),
  'PUT /api/dogs/[id]/like · out of sight': write(
    members(404, { banned: 403, bannedOwner: 403 }),
    (w) => `/api/dogs/${w.held.id}/like`,
  ),
  'DELETE /api/dogs/[id]/like': write(members(200), (w) => `/api/dogs/${w.dog.id}/like`),
  'POST /api/dogs/[id]/comments': write(
    unblockedWriters(201),
    (w) => `/api/dogs/${w.dog.id}/comments`,
    jsonBody({ content: 'Hola' }),
  ),
  'POST /api/dogs/[id]/comments · out of sight': write(
    members(404, { banned: 403, bannedOwner: 403 }),
    (w) => `/api/dogs/${w.held.id}/comments`,
    jsonBody({ content: 'Hola' }),
  ),
  'DELETE /api/comments/[id]': write(onlyOwner(204, 204), (w) => `/api/comments/${w.comment}`),
  'POST /api/dogs/[id]/opinions': write(
    unblockedWriters(200, { owner: 403 }),
    (w) => `/api/dogs/${w.dog.id}/opinions`,
    jsonBody({ breed: 'Beagle', reason: 'Por las orejas.' }),
  ),
  'POST /api/dogs/[id]/opinions · not asked for': write(
    writers(409, { owner: 403, blocked: 403, blocker: 403 }),
    (w) => `/api/dogs/${w.found.id}/opinions`,
    jsonBody({ breed: 'Beagle' }),
  ),
  'POST /api/dogs/[id]/opinions · out of sight': write(
    members(404, { banned: 403, bannedOwner: 403 }),
    (w) => `/api/dogs/${w.held.id}/opinions`,
    jsonBody({ breed: 'Beagle' }),
  ),
  'DELETE /api/dogs/[id]/opinions': write(members(204), (w) => `/api/dogs/${w.dog.id}/opinions`),
  'POST /api/dogs/[id]/opinions/request': write(
    onlyOwner(204, 403),
    (w) => `/api/dogs/${w.dog.id}/opinions/request`,
    jsonBody({ asked: true }),
  ),
  'POST /api/dogs/[id]/opinions/request · closed': write(
    onlyOwner(204, 204),
    (w) => `/api/dogs/${w.dog.id}/opinions/request`,
    jsonBody({ asked: false }),
  ),
  // Only the device that added it holds its token.
  'POST /api/dogs/[id]/association': write(
    members(403, { holder: 200 }),
    (w) => `/api/dogs/${w.unclaimed.id}/association`,
    (w, role) => ({ json: { ownershipType: 'owner', token: role === 'holder' ? w.unclaimed.token : 'x'.repeat(43) } }),
  ),
  'POST /api/dogs/[id]/association · with the token': write(
    writers(200),
    (w) => `/api/dogs/${w.unclaimed.id}/association`,
    (w) => ({ json: { ownershipType: 'discoverer', token: w.unclaimed.token } }),
  ),
  'PUT /api/dogs/[id]/lost': write(
    onlyOwner(200, 403),
    (w) => `/api/dogs/${w.dog.id}/lost`,
    () => ({ json: { since: Date.now(), zone: 'Getafe', help: 'Tiene miedo.' } }),
  ),
  'PUT /api/dogs/[id]/lost · of its discoverer': write(
    members(403),
    (w) => `/api/dogs/${w.stray.id}/lost`,
    () => ({ json: { since: Date.now(), zone: 'Getafe' } }),
  ),
  'PUT /api/dogs/[id]/lost · out of sight': write(
    members(404),
    (w) => `/api/dogs/${w.held.id}/lost`,
    () => ({ json: { since: Date.now(), zone: 'Getafe' } }),
  ),
  // The page of the same form: it says why not.
  'POST /perdidos/[dogId]': write(
    everyone(303, { bannedOwner: 422 }),
    (w) => `/perdidos/${w.dog.id}`,
    formBody('since=2026-11-20T10%3A30&zone=Getafe&accion=guardar'),
  ),
  // No dog of these is lost; a banned owner may end their search.
  'DELETE /api/dogs/[id]/lost': write(
    onlyOwner(404, 404),
    (w) => `/api/dogs/${w.dog.id}/lost`,
    jsonBody({ ending: 'home' }),
  ),
  // None of these dogs is lost; tests/api/sightings has one that is.
  'POST /api/dogs/[id]/sightings': write(
    everyone(409, { expired: 401, banned: 403, bannedOwner: 403 }),
    (w) => `/api/dogs/${w.dog.id}/sightings`,
    photoForm('photo', { zone: 'Getafe', words: 'Corría' }),
  ),
  'POST /api/dogs/[id]/sightings · out of sight': write(
    everyone(404, { expired: 401, banned: 403, bannedOwner: 403 }),
    (w) => `/api/dogs/${w.held.id}/sightings`,
    photoForm('photo', { zone: 'Getafe' }),
  ),
  'POST /api/sightings/[id]': write(members(404), () => `/api/sightings/${UNKNOWN_ID}`, jsonBody({ action: 'refuse' })),
  // Nobody of these has sent one; tests/api/sightings has those who have.
  'DELETE /api/sightings/[id]': write(everyone(404, { expired: 401 }), () => `/api/sightings/${UNKNOWN_ID}`),
  'POST /perdidos/[dogId]/visto': write(
    everyone(409, { expired: 401, banned: 403, bannedOwner: 403 }),
    (w) => `/perdidos/${w.dog.id}/visto`,
    photoForm('photo', { zone: 'Getafe' }),
  ),
  'POST /perdidos/[dogId]/avistamientos': write(
    everyone(303),
    (w) => `/perdidos/${w.dog.id}/avistamientos`,
    formBody(`id=x&action=refuse`),
  ),
  'POST /api/admin/reviews/[id]': write(
    onlyAdmin(404),
    () => `/api/admin/reviews/${UNKNOWN_ID}`,
    jsonBody({ kind: 'found', decision: 'keep' }),
  ),
  // Nobody here was told of one; tests/api/found has one with its people.
  'POST /api/found': write(
    everyone(201, { expired: 401, banned: 403, bannedOwner: 403 }),
    () => '/api/found',
    photoForm('photo', { zone: 'Getafe' }),
  ),
  'POST /encontrados': write(
    everyone(303, { expired: 401, banned: 403, bannedOwner: 403 }),
    () => '/encontrados',
    photoForm('photo', { zone: 'Getafe' }),
  ),
  'POST /encontrados/[id]': write(everyone(404), () => `/encontrados/${UNKNOWN_ID}`, formBody('action=close')),
  'POST /api/messages/[id]': write(
    everyone(404, { expired: 401 }),
    () => `/api/messages/${UNKNOWN_ID}`,
    jsonBody({ text: 'Hola' }),
  ),
  'POST /api/messages/[id]/report': write(
    everyone(404, { expired: 401 }),
    () => `/api/messages/${UNKNOWN_ID}/report`,
    jsonBody({ message: UNKNOWN_ID }),
  ),
  'POST /api/message-mails/confirm': write(everyone(404), () => '/api/message-mails/confirm?token=x', formBody('x=1')),
  // Nothing is said of tokens that are gone.
  'POST /api/message-mails/unsubscribe': write(
    everyone(200),
    () => '/api/message-mails/unsubscribe?token=x',
    formBody('List-Unsubscribe=One-Click'),
  ),
  'POST /mensajes/[threadId]': write(
    everyone(404, { expired: 401 }),
    () => `/mensajes/${UNKNOWN_ID}`,
    formBody('action=send&text=Hola'),
  ),
  // The page that it leads back to says why.
  'POST /api/dogs/[id]/frame': write(everyone(303), (w) => `/api/dogs/${w.dog.id}/frame`, formBody('frame=')),
  // Its discoverer says so in the form.
  'POST /api/dogs/[id]/ownership': write(
    unblockedWriters(204, { owner: 409 }),
    (w) => `/api/dogs/${w.stray.id}/ownership`,
  ),
  // Taking back what one never said is done already.
  'DELETE /api/dogs/[id]/ownership': write(members(204), (w) => `/api/dogs/${w.found.id}/ownership`),
  'POST /api/dogs/[id]/ownership/[userId]': write(
    onlyOwner(204, 403),
    (w) => `/api/dogs/${w.found.id}/ownership/${w.other.id}`,
    jsonBody({ accept: true }),
  ),
}

const moderationWrites: Matrix = {
  // Nobody reports what is theirs. Who was blocked, or blocked, may still report.
  'POST /api/reports': write(
    writers(201, { owner: 422 }),
    () => '/api/reports',
    (w) => ({ json: { kind: 'dog', id: w.dog.id, reason: 'spam' } }),
  ),
  // Nobody blocks themselves.
  'PUT /api/blocks/[id]': write(members(200, { owner: 422, bannedOwner: 422 }), (w) => `/api/blocks/${w.owner.id}`),
  'DELETE /api/blocks/[id]': write(members(200), (w) => `/api/blocks/${w.owner.id}`),
  'POST /api/blocks/[id]': write(
    everyone(303, { owner: 422, bannedOwner: 422 }),
    (w) => `/api/blocks/${w.owner.id}`,
    formBody('que=bloquear'),
  ),
  // Nobody follows themselves, or across a block.
  'PUT /api/follows/[kind]/[id]': write(
    unblockedWriters(200, { owner: 422, bannedOwner: 422 }),
    (w) => `/api/follows/member/${w.owner.id}`,
  ),
  'DELETE /api/follows/[kind]/[id]': write(members(200), (w) => `/api/follows/member/${w.owner.id}`),
  // A refused form leads to the sentence.
  'POST /api/follows/[kind]/[id]': write(
    everyone(303),
    (w) => `/api/follows/member/${w.owner.id}`,
    formBody('seguir=1'),
  ),
  'POST /api/follows/zone': write(everyone(303), () => '/api/follows/zone', formBody('zona=28')),
  // Whoever was banned may answer, too.
  'POST /api/decisions/[id]/appeal': write(
    onlyOwner(200, 200),
    (w) => `/api/decisions/${w.decision}/appeal`,
    jsonBody({ text: 'No es publicidad.' }),
  ),
  'POST /api/admin/cases/[id]': write(
    onlyAdmin(200),
    (w) => `/api/admin/cases/${w.case}`,
    (w) => ({ json: { deed: 'warn', reason: 'Es publicidad.', member: w.owner.id } }),
  ),
  'PUT /api/admin/members/[id]/verified': write(
    onlyAdmin(200),
    (w) => `/api/admin/members/${w.owner.id}/verified`,
    (w) => ({ json: { verified: true, alias: w.owner.alias } }),
  ),
  'POST /api/admin/members/[id]/verified': write(
    statusesFor(401, 403, { admin: 303 }),
    (w) => `/api/admin/members/${w.owner.id}/verified`,
    (w) => formBody(new URLSearchParams({ verified: '1', alias: w.owner.alias }).toString())(),
  ),
  'POST /api/admin/members/[id]/word': write(
    onlyAdmin(200),
    (w) => `/api/admin/members/${w.owner.id}/word`,
    jsonBody({ content: 'Hola' }),
  ),
  // The breed's page itself takes the admin's edit.
  'POST /razas/[raza]': write(
    statusesFor(401, 403, { admin: 303 }),
    () => '/razas/beagle',
    formBody('accion=deshacer'),
  ),
}

/** What answers everyone alike and keeps nothing. */
const statelessWrites: Matrix = {
  'POST /compartir': write(everyone(303), () => '/compartir', formBody('x=1')),
  'ALL /api/[...rest]': write(everyone(404), () => '/api/no-existe', jsonBody({})),
}

/** Every call that may change something. */
export const WRITES: Matrix = { ...accountWrites, ...dogs, ...moderationWrites, ...statelessWrites }
