import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '#db/client.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { addDog } from '#features/dogs/add.server.ts'
import { dogSchema } from '#features/dogs/dogInput.ts'
import { updateDog } from '#features/dogs/edit.server.ts'
import { setImages } from '#features/dogs/gallery.server.ts'
import { updateProfile } from '#features/profiles/edit.server.ts'
import { freshDb } from '#tests/support/db.ts'
import { COLUMNS } from '#tests/support/erasure/columns.ts'
import { photo } from '#tests/support/photo.ts'
import { refusal } from '#tests/support/refusal.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

// Which texts that everybody reads go through the word filter: all that people write, by every way to write them.

interface Place {
  db: Db
  dir: string
}
const OFFER = 'Se vende'
const input = (fields: object = {}) => dogSchema.parse({ name: 'Toby', breed: 'Beagle', ...fields })

/** Adds, changes or describes a dog with the words. @returns whether it waits for the admin */
const added = (fields: object, alts?: string[]) => async (place: Place) => {
  const [ana] = await seed(place.db, member())
  const request = { input: input(fields), uploads: [await photo()], userId: ana.id, ...(alts && { alts }) }
  return (await addDog(place.db, place.dir, request)).dog.waits === true
}
const changed =
  (fields: object) =>
  async ({ db }: Place) => {
    const [ana, toby] = await seed(db, member(), dog())
    return (await updateDog(db, ana, toby.id, fields)).waits === true
  }
const described = async ({ db, dir }: Place) => {
  const [ana, toby] = await seed(db, member(), dog())
  const uploads = [new Blob([await photo()])]
  return (await setImages(db, dir, ana, toby.id, uploads, { alts: [OFFER] })).dog.waits === true
}
const said = async ({ db }: Place) => {
  const [ana, toby] = await seed(db, member(), dog())
  return (await addComment(db, ana, toby.id, OFFER)).held === 'waits'
}
const called = async ({ db }: Place) => {
  const [ana] = await seed(db, member())
  return (await refusal(updateProfile(db, ana, { alias: OFFER, emoji: '🐶' })))[0] === 422
}

/** Every way in which a person fills a column that others read. */
const PUBLIC: Record<string, ((place: Place) => Promise<boolean>)[]> = {
  'dogs.name': [added({ name: OFFER }), changed({ name: OFFER })],
  'dogs.breed': [added({ breed: OFFER }), changed({ breed: OFFER })],
  'dogs.zone': [added({ zone: OFFER }), changed({ zone: OFFER })],
  'dogs.description': [added({ description: OFFER }), changed({ description: OFFER })],
  'dog_images.alt': [added({}, [OFFER]), described],
  'comments.content': [said],
  'profiles.alias': [called],
}

const COPY = 'taken from the columns above'
const OWN = 'only its member and the admin read it'
const MACHINE = 'told to a machine, shown to nobody'
/** The other columns that hold what people write. */
const NOT_FILTERED: Record<string, string> = {
  'bans.reason': 'the admin writes it',
  'decision_people.appeal': OWN,
  'decisions.what': COPY,
  'decisions.reason': 'the admin writes it',
  'dog_paths.slug': COPY,
  'dog_words.plain': COPY,
  'dog_words.low': COPY,
  'dogs.path_slug': COPY,
  'events.data': COPY,
  'held.path_slug': COPY,
  'held.snapshot': COPY,
  'member_words.plain': COPY,
  'member_words.low': COPY,
  'notifications.content': COPY,
  'oauth_accounts.provider_user_id': MACHINE,
  'profiles.alias_key': COPY,
  'push_subscriptions.endpoint': MACHINE,
  'push_subscriptions.p256dh': MACHINE,
  'push_subscriptions.auth': MACHINE,
  'reports.words': OWN,
  'sign_in_tokens.email': OWN,
  'sign_in_tokens.mailbox': OWN,
  'users.email': OWN,
}

const reach = suite<Place>('reach of the word filter')
reach.before.each((t) => {
  t.db = freshDb()
  t.dir = mkdtempSync(join(tmpdir(), 'perrario-words-'))
})
reach.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }))

reach('every column in which a person writes is filtered, or it is said why not', () => {
  const written = Object.keys(COLUMNS).filter((column) => Array.isArray(COLUMNS[column]))
  assert.equal(
    [...Object.keys(PUBLIC), ...Object.keys(NOT_FILTERED)].toSorted(),
    written.toSorted(),
    'a new column goes into PUBLIC with every way to fill it, or into NOT_FILTERED',
  )
})

for (const [column, ways] of Object.entries(PUBLIC))
  reach(`${column}: an offer of sale is shown to nobody before somebody has read it`, async (place) => {
    for (const [at, isStopped] of ways.entries()) assert.ok(await isStopped(place), `way ${at}`)
  })

reach('every field of a dog that is text is a column above', () => {
  const texts = Object.entries(input({ zone: 'x', description: 'x' }))
    .filter(([name, value]) => typeof value === 'string' && !['relationship', 'size', 'age_unit'].includes(name))
    .map(([name]) => `dogs.${name}`)
  assert.equal(
    texts.filter((column) => !(column in PUBLIC)),
    [],
  )
})

reach.run()
