import { addComment } from '#features/comments/comments.server.ts'
import { addDog } from '#features/dogs/write/add.server.ts'
import { FREE_TEXT_NAMES } from '#features/dogs/write/dog-fields.ts'
import { dogSchema } from '#features/dogs/write/dog-input.ts'
import { updateDog } from '#features/dogs/write/edit.server.ts'
import { replaceGallery } from '#features/dogs/write/gallery.server.ts'
import { saveLostCase } from '#features/lost/cases.server.ts'
import { giveOpinion, setOpinionsAsked } from '#features/opinions/opinions.server.ts'
import { COLUMNS } from '#tests/support/erasure/columns.ts'
import { photo } from '#tests/support/photos/sample-photos.ts'
import { assert, assertNone, dataSuite, type DbWorld, type FolderWorld, refusal } from '#tests/support/suites.ts'
import { dog, member, seed } from '#tests/support/seed.ts'

// Which texts that everybody reads go through the word filter: all that people write, by every way to write them.

const FILTERED_TEXT = 'Se vende'
const input = (fields: object = {}) => dogSchema.parse({ name: 'Toby', breed: 'Beagle', ...fields })

/** Adds, changes or describes a dog with the words. @returns whether it waits for the admin */
const addsDog = (fields: object, alts?: string[]) => async (place: DbWorld & FolderWorld) => {
  const [ana] = await seed(place.db, member())
  const request = { input: input(fields), uploads: [await photo()], userId: ana.id, ...(alts && { alts }) }
  return (await addDog(place.db, place.dir, request)).dog.waits === true
}
const changesDog =
  (fields: object) =>
  async ({ db }: DbWorld & FolderWorld) => {
    const [ana, toby] = await seed(db, member(), dog())
    return (await updateDog(db, ana, toby.id, fields)).in_review?.length === 1
  }
const describesPhoto = async ({ db, dir }: DbWorld & FolderWorld) => {
  const [ana, toby] = await seed(db, member(), dog())
  const uploads = [new Blob([await photo()])]
  return (await replaceGallery(db, dir, ana, toby.id, uploads, { alts: [FILTERED_TEXT] })).dog.in_review?.length === 1
}
const addsComment = async ({ db }: DbWorld & FolderWorld) => {
  const [ana, toby] = await seed(db, member(), dog())
  await addComment(db, ana, toby.id, FILTERED_TEXT)
  return (await db.selectFrom('cases').select('id').where('kind', '=', 'comment').execute()).length === 1
}
const givesOpinion = async ({ db }: DbWorld & FolderWorld) => {
  const [luis, ana, toby] = await seed(db, member(), member(), dog())
  await setOpinionsAsked(db, ana, toby.id, true)
  return (await refusal(giveOpinion(db, luis, toby.id, { breed: 'Beagle', reason: FILTERED_TEXT })))[0] === 422
}
const losesDog = async ({ db }: DbWorld & FolderWorld) => {
  const [ana, toby] = await seed(db, member(), dog())
  const lost = { since: Date.now(), zone: 'Getafe', lat: null, lon: null, help: FILTERED_TEXT, chip: null }
  return (await refusal(saveLostCase(db, ana, toby.id, lost)))[0] === 422
}

/** Every way in which a person fills a column that others read. */
const FILTERED_COLUMNS: Record<string, ((place: DbWorld & FolderWorld) => Promise<boolean>)[]> = {
  'dogs_all.name': [addsDog({ name: FILTERED_TEXT }), changesDog({ name: FILTERED_TEXT })],
  'dogs_all.breed': [addsDog({ breed: FILTERED_TEXT }), changesDog({ breed: FILTERED_TEXT })],
  'dogs_all.zone': [addsDog({ zone: FILTERED_TEXT }), changesDog({ zone: FILTERED_TEXT })],
  ...Object.fromEntries(
    FREE_TEXT_NAMES.map((name) => [
      `dogs_all.${name}`,
      [addsDog({ [name]: FILTERED_TEXT }), changesDog({ [name]: FILTERED_TEXT })],
    ]),
  ),
  'dog_images_all.alt': [addsDog({}, [FILTERED_TEXT]), describesPhoto],
  'comments_all.content': [addsComment],
  'lost_cases.help': [losesDog],
  'breed_opinions_all.reason': [givesOpinion],
}

const COPIED = 'taken from the columns above'
const PRIVATE_TEXT = 'only its member and the admin read it'
const OF_FINDER = 'only its finder reads it: owners are told a zone and a photo'
const MACHINE_ONLY = 'told to a machine, shown to nobody'
/** The other columns that hold what people write. */
const NOT_FILTERED: Record<string, string> = {
  'bans.reason': 'the admin writes it',
  'cases.proposed': 'what the filter doubts: nobody reads it before the admin publishes it',
  'contact_messages.text': 'delivered to one reader, folded where the filter finds something',
  'reported_messages.text': 'a copy for the admin alone',
  'decision_people.appeal': PRIVATE_TEXT,
  'decisions.what': COPIED,
  'decisions.reason': 'the admin writes it',
  'dog_paths.slug': COPIED,
  'dog_words.plain': COPIED,
  'dog_words.low': COPIED,
  'dogs_all.path_slug': COPIED,
  'email_changes.email': PRIVATE_TEXT,
  'email_changes.previous_email': PRIVATE_TEXT,
  'found_claims.answer': 'only the finder reads it, folded where the filter finds something',
  'found_notices_all.coat': OF_FINDER,
  'found_notices_all.collar': OF_FINDER,
  'found_notices_all.words': OF_FINDER,
  'found_notices_all.question': 'owners who were told read it, folded where the filter finds something',
  'lost_history.help': COPIED,
  'member_words.plain': COPIED,
  'member_words.low': COPIED,
  'notifications_all.content': COPIED,
  'oauth_accounts.provider_user_id': MACHINE_ONLY,
  'passkeys.name': PRIVATE_TEXT,
  'profiles_all.alias': 'reported like everything, and too short for an offer',
  'profiles_all.alias_key': COPIED,
  'push_subscriptions.endpoint': MACHINE_ONLY,
  'push_subscriptions.p256dh': MACHINE_ONLY,
  'push_subscriptions.auth': MACHINE_ONLY,
  'reports.words': PRIVATE_TEXT,
  'security_log.detail': PRIVATE_TEXT,
  'sightings_all.words':
    'only the dog’s owner reads it, behind a fold that says why (features/contact/text-warning.ts)',
  'sign_in_alerts.email': PRIVATE_TEXT,
  'sign_in_tokens.email': PRIVATE_TEXT,
  'sign_in_tokens.mailbox': PRIVATE_TEXT,
  'users.email': PRIVATE_TEXT,
}

const coverage = dataSuite('unit/moderation/word-filter-coverage')

coverage('every column that members write is filtered, or has the reason why not', () => {
  const written = Object.keys(COLUMNS).filter((column) => Array.isArray(COLUMNS[column]))
  assert.equal(
    [...Object.keys(FILTERED_COLUMNS), ...Object.keys(NOT_FILTERED)].toSorted(),
    written.toSorted(),
    'a new column goes into PUBLIC with every way to fill it, or into NOT_FILTERED',
  )
})

for (const [column, ways] of Object.entries(FILTERED_COLUMNS))
  coverage(`${column}: an offer of sale comes before the admin, or is refused`, async (place) => {
    for (const [at, isStopped] of ways.entries()) assert.ok(await isStopped(place), `way ${at}`)
  })

coverage('every field of a dog that is text is a column above', () => {
  const texts = Object.entries(input({ zone: 'x', description: 'x' }))
    .filter(([name, value]) => typeof value === 'string' && !['relationship', 'size', 'age_unit'].includes(name))
    .map(([name]) => `dogs_all.${name}`)
  assertNone(texts, (column) => !(column in FILTERED_COLUMNS))
})
