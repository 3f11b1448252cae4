import { formOf } from '#tests/support/api.ts'
import { accountWrites } from './account-writes.ts'
import { UNKNOWN_ID } from '#tests/support/unknown-id.ts'
import {
  anyWriter,
  everyone,
  members,
  onlyAdmin,
  onlyOwner,
  statusesFor,
  toOwner,
  unblockedWriters,
  writers,
} from './roles.ts'
import { form, json, matrix, type Matrix, photoForm, write, writeAt } from './rows.ts'

const dogs = matrix({
  'POST /api/dogs': write(anyWriter(201), photoForm('images', { name: 'Toby', breed: 'Beagle' })),
  // This server has no key for it; with one everyone may ask (tests/api/dogs/breed-detection.test.ts).
  'POST /api/breed-detection': write(everyone(503), photoForm('image', {})),
  'PATCH /api/dogs/[id]': write(onlyOwner(200, 403), json({ name: 'Tobías' })),
  'PATCH /api/dogs/[id] · out of sight': write(statusesFor(401, 404, toOwner(409)), json({ name: 'Tobías' })),
  'PUT /api/dogs/[id]/images · out of sight': write(statusesFor(401, 404, toOwner(409)), (w) => ({
    form: formOf({ images: w.held.photo_url }),
  })),
  'DELETE /api/dogs/[id] · out of sight': write(statusesFor(401, 404, toOwner(204))),
  // Taking back what is one's own stays.
  'DELETE /api/dogs/[id]': write(onlyOwner(204, 204)),
  // The plain form of the page below.
  'POST /api/dogs/[id]': write(statusesFor(303, 403, toOwner(303)), form('x=1')),
  'POST /api/dogs/[id] · out of sight': write(everyone(303), form('x=1')),
  'PUT /api/dogs/[id]/images': write(onlyOwner(200, 403), (w) => ({ form: formOf({ images: w.dog.photo_url }) })),
  'PUT /api/dogs/[id]/like': write(unblockedWriters(200)),
  'PUT /api/dogs/[id]/like · out of sight': write(members(404, { banned: 403, bannedOwner: 403 })),
  'DELETE /api/dogs/[id]/like': write(members(200)),
  'POST /api/dogs/[id]/comments': write(unblockedWriters(201), json({ content: 'Hola' })),
  'POST /api/dogs/[id]/comments · out of sight': write(
    members(404, { banned: 403, bannedOwner: 403 }),
    json({ content: 'Hola' }),
  ),
  'DELETE /api/comments/[id]': write(onlyOwner(204, 204)),
  'POST /api/dogs/[id]/opinions': write(
    unblockedWriters(200, { owner: 403 }),
    json({ breed: 'Beagle', reason: 'Por las orejas.' }),
  ),
  'POST /api/dogs/[id]/opinions · not asked for': writeAt(
    '/api/dogs/{found}/opinions',
    writers(409, { owner: 403, blocked: 403, blocker: 403 }),
    json({ breed: 'Beagle' }),
  ),
  'POST /api/dogs/[id]/opinions · out of sight': write(
    members(404, { banned: 403, bannedOwner: 403 }),
    json({ breed: 'Beagle' }),
  ),
  'DELETE /api/dogs/[id]/opinions': write(members(204)),
  'POST /api/dogs/[id]/opinions/request': write(onlyOwner(204, 403), json({ asked: true })),
  'POST /api/dogs/[id]/opinions/request · closed': write(onlyOwner(204, 204), json({ asked: false })),
  // Only the device that added it holds its token.
  'POST /api/dogs/[id]/association': writeAt(
    '/api/dogs/{unclaimed}/association',
    members(403, { holder: 200 }),
    (w, role) => ({ json: { ownershipType: 'owner', token: role === 'holder' ? w.unclaimed.token : 'x'.repeat(43) } }),
  ),
  'POST /api/dogs/[id]/association · with the token': writeAt(
    '/api/dogs/{unclaimed}/association',
    writers(200),
    (w) => ({ json: { ownershipType: 'discoverer', token: w.unclaimed.token } }),
  ),
  'PUT /api/dogs/[id]/lost': write(onlyOwner(200, 403), () => ({
    json: { since: Date.now(), zone: 'Getafe', help: 'Tiene miedo.' },
  })),
  'PUT /api/dogs/[id]/lost · of its discoverer': writeAt('/api/dogs/{stray}/lost', members(403), () => ({
    json: { since: Date.now(), zone: 'Getafe' },
  })),
  'PUT /api/dogs/[id]/lost · out of sight': write(members(404), () => ({
    json: { since: Date.now(), zone: 'Getafe' },
  })),
  // The page of the same form: it says why not.
  'POST /perdidos/[dogId]': write(
    everyone(303, { bannedOwner: 422 }),
    form('since=2026-11-20T10%3A30&zone=Getafe&accion=guardar'),
  ),
  // No dog of these is lost; a banned owner may end their search.
  'DELETE /api/dogs/[id]/lost': write(onlyOwner(404, 404), json({ ending: 'home' })),
  // None of these dogs is lost; tests/api/sightings has one that is.
  'POST /api/dogs/[id]/sightings': write(anyWriter(409), photoForm('photo', { zone: 'Getafe', words: 'Corría' })),
  'POST /api/dogs/[id]/sightings · out of sight': write(anyWriter(404), photoForm('photo', { zone: 'Getafe' })),
  'POST /api/sightings/[id]': write(members(404), json({ action: 'refuse' })),
  // Nobody of these has sent one; tests/api/sightings has those who have.
  'DELETE /api/sightings/[id]': write(everyone(404, { expired: 401 })),
  'POST /perdidos/[dogId]/visto': write(anyWriter(409), photoForm('photo', { zone: 'Getafe' })),
  'POST /perdidos/[dogId]/avistamientos': write(everyone(303), form('id=x&action=refuse')),
  'POST /api/admin/reviews/[id]': writeAt(
    '/api/admin/reviews/{thread}',
    onlyAdmin(404),
    json({ kind: 'found', decision: 'keep' }),
  ),
  // Nobody here was told of one; tests/api/found has one with its people.
  'POST /api/found': write(anyWriter(201), photoForm('photo', { zone: 'Getafe' })),
  'POST /encontrados': write(anyWriter(303), photoForm('photo', { zone: 'Getafe' })),
  'POST /encontrados/[id]': write(everyone(404), form('action=close')),
  'POST /api/messages/[id]': write(everyone(404, { expired: 401 }), json({ text: 'Hola' })),
  'POST /api/messages/[id]/report': write(everyone(404, { expired: 401 }), json({ message: UNKNOWN_ID })),
  'POST /api/message-mails/confirm': writeAt('/api/message-mails/confirm?token=x', everyone(404), form('x=1')),
  // Nothing is said of tokens that are gone.
  'POST /api/message-mails/unsubscribe': writeAt(
    '/api/message-mails/unsubscribe?token=x',
    everyone(200),
    form('List-Unsubscribe=One-Click'),
  ),
  'POST /mensajes/[threadId]': write(everyone(404, { expired: 401 }), form('action=send&text=Hola')),
  // The page that it leads back to says why.
  'POST /api/dogs/[id]/frame': write(everyone(303), form('frame=')),
  // Its discoverer says so in the form.
  'POST /api/dogs/[id]/ownership': writeAt('/api/dogs/{stray}/ownership', unblockedWriters(204, { owner: 409 })),
  // Taking back what one never said is done already.
  'DELETE /api/dogs/[id]/ownership': writeAt('/api/dogs/{found}/ownership', members(204)),
  'POST /api/dogs/[id]/ownership/[userId]': writeAt(
    '/api/dogs/{found}/ownership/{other}',
    onlyOwner(204, 403),
    json({ accept: true }),
  ),
})

const moderationWrites = matrix({
  // Nobody reports what is theirs. Who was blocked, or blocked, may still report.
  'POST /api/reports': write(writers(201, { owner: 422 }), (w) => ({
    json: { kind: 'dog', id: w.dog.id, reason: 'spam' },
  })),
  // Nobody blocks themselves.
  'PUT /api/blocks/[id]': write(members(200, toOwner(422))),
  'DELETE /api/blocks/[id]': write(members(200)),
  'POST /api/blocks/[id]': write(everyone(303, toOwner(422)), form('que=bloquear')),
  // Nobody follows themselves, or across a block.
  'PUT /api/follows/[kind]/[id]': writeAt('/api/follows/member/{owner}', unblockedWriters(200, toOwner(422))),
  'DELETE /api/follows/[kind]/[id]': writeAt('/api/follows/member/{owner}', members(200)),
  // A refused form leads to the sentence.
  'POST /api/follows/[kind]/[id]': writeAt('/api/follows/member/{owner}', everyone(303), form('seguir=1')),
  'POST /api/follows/zone': write(everyone(303), form('zona=28')),
  // Whoever was banned may answer, too.
  'POST /api/decisions/[id]/appeal': write(onlyOwner(200, 200), json({ text: 'No es publicidad.' })),
  'POST /api/admin/cases/[id]': write(onlyAdmin(200), (w) => ({
    json: { deed: 'warn', reason: 'Es publicidad.', member: w.owner.id },
  })),
  'PUT /api/admin/members/[id]/verified': write(onlyAdmin(200), (w) => ({
    json: { verified: true, alias: w.owner.alias },
  })),
  'POST /api/admin/members/[id]/verified': write(statusesFor(401, 403, { admin: 303 }), (w) =>
    form(new URLSearchParams({ verified: '1', alias: w.owner.alias }).toString()),
  ),
  'POST /api/admin/members/[id]/word': write(onlyAdmin(200), json({ content: 'Hola' })),
  // The breed's page itself takes the admin's edit.
  'POST /razas/[raza]': write(statusesFor(401, 403, { admin: 303 }), form('accion=deshacer')),
})

/** What answers everyone alike and keeps nothing. */
const statelessWrites = matrix({
  'POST /compartir': write(everyone(303), form('x=1')),
  'ALL /api/[...rest]': writeAt('/api/no-existe', everyone(404), json({})),
})

/** Every call that may change something. */
export const WRITES: Matrix = { ...accountWrites, ...dogs, ...moderationWrites, ...statelessWrites }
