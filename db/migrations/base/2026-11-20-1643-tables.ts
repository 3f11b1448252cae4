import type { CreateTableBuilder, Kysely } from 'kysely'

// Migrations never change with the application's types and constants.
type AnyDb = Kysely<any>

const id = <T extends string>(t: CreateTableBuilder<T, never>) =>
  t.addColumn('id', 'text', (c) => c.primaryKey().notNull())

export async function up(db: AnyDb): Promise<void> {
  await people(db)
  await dogs(db)
  await aroundDogs(db)
}

async function people(db: AnyDb) {
  const s = db.schema
  await id(s.createTable('users'))
    .addColumn('email', 'text', (c) => c.unique())
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .execute()

  await id(s.createTable('sessions'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('expires_at', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await s.createIndex('sessions_user').on('sessions').columns(['user_id']).execute()
  await s.createIndex('sessions_expiry').on('sessions').columns(['expires_at']).execute()

  await id(s.createTable('sign_in_tokens'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('code_hash', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('expires_at', 'integer', (c) => c.notNull())
    .addColumn('used_at', 'integer')
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .execute()
  await s.createIndex('sign_in_tokens_email').on('sign_in_tokens').columns(['email', 'created_at']).execute()
  await s.createIndex('sign_in_tokens_expiry').on('sign_in_tokens').columns(['expires_at']).execute()

  await s
    .createTable('oauth_accounts')
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('provider_user_id', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('oauth_accounts_pk', ['provider', 'provider_user_id'])
    .execute()
  await s.createIndex('oauth_accounts_user').on('oauth_accounts').columns(['user_id']).execute()

  await id(s.createTable('profiles'))
    .addColumn('alias', 'text', (c) => c.notNull())
    .addColumn('alias_key', 'text', (c) => c.notNull().unique())
    .addColumn('emoji', 'text', (c) => c.notNull())
    .addColumn('verified', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .addColumn('dogs_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('breeds_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('likes_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addForeignKeyConstraint('profiles_user', ['id'], 'users', ['id'], (c) => c.onDelete('cascade'))
    .execute()
  // The ranking: dogs, then likes, then a fixed order.
  await s.createIndex('profiles_ranking').on('profiles').columns(['dogs_count', 'likes_count', 'id']).execute()
}

async function dogs(db: AnyDb) {
  const s = db.schema
  const member = (c: any) => c.references('users.id').onDelete('set null')
  await id(s.createTable('dogs'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('breed', 'text', (c) => c.notNull())
    .addColumn('breed_slug', 'text', (c) => c.notNull())
    .addColumn('age', 'integer')
    .addColumn('age_unit', 'text')
    .addColumn('age_months', 'integer')
    .addColumn('weight', 'real')
    .addColumn('zone', 'text')
    .addColumn('is_adopted', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('description', 'text')
    .addColumn('size', 'text')
    .addColumn('photo_url', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', member)
    .addColumn('owner_id', 'text', member)
    .addColumn('discoverer_id', 'text', member)
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .addColumn('updated_at', 'integer', (c) => c.notNull())
    .addColumn('day', 'integer', (c) => c.notNull())
    .addColumn('votes', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('comments_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('path_breed', 'text', (c) => c.notNull())
    .addColumn('path_slug', 'text', (c) => c.notNull())
    .execute()

  // One index for each sort and filter of the list: a page reads only its own rows, in order.
  const sorts = { created: 'created_at', votes: 'votes', weight: 'weight', age: 'age_months' }
  for (const [name, column] of Object.entries(sorts))
    for (const filter of [[], ['breed_slug'], ['size'], ['breed_slug', 'size']]) {
      const index = s
        .createIndex(['dogs', ...filter.map((f) => f.replace('_slug', '')), name].join('_'))
        .on('dogs')
        .columns([...filter, column, 'id'])
      await (column === 'weight' || column === 'age_months' ? index.where(column, 'is not', null) : index).execute()
    }
  // Deleting a member finds their dogs by index.
  for (const column of ['user_id', 'owner_id', 'discoverer_id'])
    await s.createIndex(`dogs_${column}`).on('dogs').columns([column, 'created_at', 'id']).execute()

  await s
    .createTable('dog_paths')
    .addColumn('breed_slug', 'text', (c) => c.notNull())
    .addColumn('slug', 'text', (c) => c.notNull())
    .addColumn('dog_id', 'text', (c) => c.references('dogs.id').onDelete('set null'))
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('dog_paths_pk', ['breed_slug', 'slug'])
    .execute()
  await s.createIndex('dog_paths_dog').on('dog_paths').columns(['dog_id']).execute()

  await s
    .createTable('dog_images')
    .addColumn('dog_id', 'text', (c) => c.notNull().references('dogs.id').onDelete('cascade'))
    .addColumn('url', 'text', (c) => c.notNull().unique())
    .addColumn('order', 'integer', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('dog_images_pk', ['dog_id', 'order'])
    .execute()

  await s
    .createTable('dog_claims')
    .addColumn('dog_id', 'text', (c) => c.primaryKey().notNull().references('dogs.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (c) => c.notNull())
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .execute()

  await s
    .createTable('idempotency_keys')
    .addColumn('key', 'text', (c) => c.primaryKey().notNull())
    .addColumn('dog_id', 'text', (c) => c.notNull().references('dogs.id').onDelete('cascade'))
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .execute()
  await s.createIndex('idempotency_keys_dog').on('idempotency_keys').columns(['dog_id']).execute()
  await s.createIndex('idempotency_keys_created').on('idempotency_keys').columns(['created_at']).execute()
}

async function aroundDogs(db: AnyDb) {
  const s = db.schema
  await id(s.createTable('dog_likes'))
    .addColumn('dog_id', 'text', (c) => c.notNull().references('dogs.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .addUniqueConstraint('dog_likes_once', ['dog_id', 'user_id'])
    .execute()
  await s.createIndex('dog_likes_dog').on('dog_likes').columns(['dog_id', 'created_at', 'id']).execute()
  await s.createIndex('dog_likes_user').on('dog_likes').columns(['user_id', 'created_at', 'id']).execute()

  await id(s.createTable('comments'))
    .addColumn('dog_id', 'text', (c) => c.notNull().references('dogs.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .execute()
  await s.createIndex('comments_dog').on('comments').columns(['dog_id', 'created_at', 'id']).execute()
  await s.createIndex('comments_user').on('comments').columns(['user_id', 'created_at', 'id']).execute()

  await id(s.createTable('notifications'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('dog_id', 'text', (c) => c.references('dogs.id').onDelete('cascade'))
    .addColumn('is_read', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .execute()
  await s.createIndex('notifications_user').on('notifications').columns(['user_id', 'created_at', 'id']).execute()
  await s.createIndex('notifications_dog').on('notifications').columns(['dog_id']).execute()
}
