import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../dialect/column-types.ts'

/** The bit of each cause for which dogs and photos moved to `held`. */
const CAUSES: Record<string, number> = { words: 1, anonymous: 1, reports: 2, admin: 4, deletion: 8 }

/** The bits of what members who leave have on dogs, and of likes of a hidden dog. */
const LEAVING = sql.lit(8)
const WITHIN = sql.lit(16)

const DOG_COLUMNS =
  'id name breed breed_slug age age_unit age_months weight zone is_adopted description size photo_url user_id owner_id discoverer_id created_at updated_at day path_breed path_slug frame'.split(
    ' ',
  )

/**
 * What was moved to `held` and the tables beside it comes back, photo files by `photo_moves`. A row whose dog or member is gone is not there any
 * more.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await returnFiles(db)
  const held = await db.selectFrom('held').selectAll().where('kind', '=', 'dog').execute()
  for (const { cause, snapshot } of held) await returnDog(db, JSON.parse(snapshot), CAUSES[cause] ?? CAUSES.admin!)
  // Triggers count them on their dogs and their givers.
  const ofDogs = (table: string) => sql.raw(`SELECT 1 FROM dogs_all AS d WHERE d.id = ${table}.dog_id`)
  await sql`INSERT INTO comments_all (id, dog_id, user_id, content, created_at, hidden)
    SELECT id, dog_id, user_id, content, created_at, hidden FROM held_comments WHERE EXISTS (${ofDogs('held_comments')})
    ON CONFLICT DO NOTHING`.execute(db)
  await sql`INSERT INTO dog_likes_all (id, dog_id, user_id, created_at, hidden)
    SELECT id, dog_id, user_id, created_at, ${WITHIN} FROM held_likes WHERE EXISTS (${ofDogs('held_likes')})
    ON CONFLICT DO NOTHING`.execute(db)
  await sql`INSERT INTO ownership_requests_all (dog_id, user_id, created_at, declined_at)
    SELECT dog_id, user_id, created_at, declined_at FROM held_requests WHERE EXISTS (${ofDogs('held_requests')})
    ON CONFLICT DO NOTHING`.execute(db)
  const photos = await db.selectFrom('held').selectAll().where('kind', '=', 'photo').orderBy('created_at').execute()
  for (const { dog_id, thing_id, cause, snapshot } of photos) {
    const { image } = JSON.parse(snapshot)
    await insertImage(db, dog_id, image, CAUSES[cause] ?? CAUSES.admin!)
    if (image.url !== thing_id) await renamePhoto(db, thing_id, image.url)
  }
  await returnWithdrawn(db)
  // Lines of bells that a crash left on their way.
  await sql`UPDATE notifications_all SET dog_id = (SELECT t.dog_id FROM detached_lines AS t WHERE t.notification_id = notifications_all.id)
    WHERE type <> 'like' AND id IN (SELECT t.notification_id FROM detached_lines AS t JOIN dogs_all AS d ON d.id = t.dog_id)`.execute(
    db,
  )
  for (const table of [
    'held_photos',
    'held_comments',
    'held_likes',
    'held_requests',
    'held',
    'detached_lines',
    'withdrawn_rows',
  ])
    await db.schema.dropTable(table).execute()
}

/** What members whose accounts wait for their deletion liked and asked for is hidden where it was; their roles of dogs are nobody's meanwhile. */
async function returnWithdrawn(db: Kysely<any>): Promise<void> {
  const { text } = columnTypes(db)
  await db.schema
    .createTable('left_roles')
    .addColumn('user_id', text, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', text, (c) => c.notNull())
    .addColumn('dog_id', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('left_roles_pk', ['user_id', 'role', 'dog_id'])
    .execute()
  await sql`INSERT INTO left_roles (user_id, role, dog_id)
    SELECT user_id, kind, dog_id FROM withdrawn_rows WHERE kind NOT IN ('like', 'request')`.execute(db)
  await sql`INSERT INTO dog_likes_all (id, dog_id, user_id, created_at, hidden)
    SELECT w.like_id, w.dog_id, w.user_id, w.created_at, CASE d.hidden WHEN 0 THEN ${LEAVING} ELSE ${LEAVING} + ${WITHIN} END
    FROM withdrawn_rows AS w JOIN dogs_all AS d ON d.id = w.dog_id WHERE w.kind = 'like'
    ON CONFLICT DO NOTHING`.execute(db)
  await sql`INSERT INTO ownership_requests_all (dog_id, user_id, created_at, declined_at, hidden)
    SELECT w.dog_id, w.user_id, w.created_at, w.declined_at, ${LEAVING}
    FROM withdrawn_rows AS w JOIN dogs_all AS d ON d.id = w.dog_id WHERE w.kind = 'request'
    ON CONFLICT DO NOTHING`.execute(db)
}

interface Snapshot {
  dog: Record<string, unknown> & { id: string }
  images?: { url: string }[]
  claims?: { token_hash: string; created_at: number }[]
  paths?: { breed_slug: string; slug: string }[]
  keys?: { key: string; created_at: number }[]
}

async function returnDog(
  db: Kysely<any>,
  { dog, images, claims, paths, keys }: Snapshot,
  hidden: number,
): Promise<void> {
  const row = Object.fromEntries(DOG_COLUMNS.filter((column) => column in dog).map((column) => [column, dog[column]]))
  for (const role of ['user_id', 'owner_id', 'discoverer_id']) row[role] = await existingUser(db, row[role])
  await db
    .insertInto('dogs_all')
    // The backfill finds its province.
    .values({ ...row, province: null, hidden })
    .execute()
  for (const image of images ?? []) await insertImage(db, dog.id, image)
  for (const { token_hash, created_at } of claims ?? [])
    await db.insertInto('dog_claims').values({ dog_id: dog.id, token_hash, created_at }).execute()
  for (const { breed_slug, slug } of paths ?? [])
    await db
      .updateTable('dog_paths')
      .set({ dog_id: dog.id })
      .where('breed_slug', '=', breed_slug)
      .where('slug', '=', slug)
      .execute()
  for (const { key, created_at } of keys ?? [])
    await db
      .insertInto('idempotency_keys')
      .values({ key, created_at, dog_id: dog.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

async function existingUser(db: Kysely<any>, id: unknown): Promise<unknown> {
  if (id === null || id === undefined) return null
  return (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) ? id : null
}

/** The photo was named anew when it was taken out of sight with its dog before; what is said of it names the one from before. */
async function renamePhoto(db: Kysely<any>, thing_id: string, url: string): Promise<void> {
  for (const table of ['cases', 'reports', 'decisions'])
    await db
      .updateTable(table)
      .set({ thing_id: url })
      .where('kind', '=', 'photo')
      .where('thing_id', '=', thing_id)
      .execute()
  const lines = db.updateTable('notifications_all').set({ target_id: url })
  await lines.where('target_kind', '=', 'photo').where('target_id', '=', thing_id).execute()
}

const IMAGE_COLUMNS = ['url', 'order', 'width', 'height', 'blur', 'alt']

/** A photo that is hidden by itself has the number of its place below 0: -1 for the first. */
async function insertImage(db: Kysely<any>, dogId: string, image: Record<string, unknown>, hidden = 0): Promise<void> {
  const dog = await db.selectFrom('dogs_all').select('id').where('id', '=', dogId).executeTakeFirst()
  if (!dog) return
  const row = Object.fromEntries(
    IMAGE_COLUMNS.filter((column) => column in image).map((column) => [column, image[column]]),
  )
  const taken = db.selectFrom('dog_images_all').select('order').where('dog_id', '=', dogId)
  const orders = new Set((await taken.execute()).map(({ order: each }) => each))
  let order = hidden === 0 ? Number(row.order) : -1 - Number(row.order)
  if (hidden !== 0) while (orders.has(order)) order--
  await db
    .insertInto('dog_images_all')
    .values({ ...row, order, dog_id: dogId, hidden })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Files of hidden photos return to the names that their rows have always had. */
async function returnFiles(db: Kysely<any>): Promise<void> {
  await db.deleteFrom('photo_moves').where('action', '=', 'quarantine').execute()
  const photos = await db.selectFrom('held_photos').select('url').distinct().execute()
  for (const { url } of photos)
    if (url.startsWith('/photos/'))
      await db
        .insertInto('photo_moves')
        .values({ name: url.slice('/photos/'.length), action: 'return', due_at: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
}
