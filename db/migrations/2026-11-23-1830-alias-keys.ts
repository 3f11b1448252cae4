import { type Kysely, sql } from 'kysely'

const SHAPES: Record<string, string> = { i: 'l', 1: 'l', '|': 'l', 0: 'o', m: 'rn', w: 'vv' }

const ROWS_PER_STATEMENT = 1000

/** The key of today from the one before, which had neither case nor accents. */
function foldKey(name: string): string {
  const letters = name.replace(/!(?=[a-z0-9])|(?<=[a-z0-9])¡/g, 'l').replace(/[ \-_.,'·&+!?¡¿]/g, '')
  return letters.replace(/[i1|0mw]/g, (sign) => SHAPES[sign]!) || name
}

/**
 * Alias keys fold letters that look alike, spaces and signs. Where two members' aliases have one key by that, both keep their alias:
 * the older member has the key, each other one the key with their id. Profiles in quarantine have theirs too, and an index by which
 * their aliases are found: they stay reserved.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const { rows } = await sql<{ id: string; alias_key: string }>`
    SELECT id, alias_key, created_at FROM profiles
    UNION ALL
    SELECT thing_id, json_extract(snapshot, '$.alias_key'), json_extract(snapshot, '$.created_at') FROM held WHERE kind = 'profile'
    ORDER BY created_at, id`.execute(db)
  // A new key may be another member's old one.
  await sql`UPDATE profiles SET alias_key = '#' || id`.execute(db)
  const taken = new Set<string>()
  const keys = rows.map(({ id, alias_key }) => {
    const folded = foldKey(alias_key)
    const key = taken.has(folded) ? `${folded}#${id}` : folded
    taken.add(key)
    return [id, key]
  })
  for (let from = 0; from < keys.length; from += ROWS_PER_STATEMENT) {
    const batch = sql`(SELECT value ->> 0 AS id, value ->> 1 AS alias_key
      FROM json_each(${JSON.stringify(keys.slice(from, from + ROWS_PER_STATEMENT))})) AS batch`
    await sql`UPDATE profiles SET alias_key = batch.alias_key FROM ${batch} WHERE profiles.id = batch.id`.execute(db)
    await sql`UPDATE held SET snapshot = json_set(snapshot, '$.alias_key', batch.alias_key) FROM ${batch}
      WHERE kind = 'profile' AND thing_id = batch.id`.execute(db)
  }
  await sql`CREATE INDEX held_alias ON held (kind, json_extract(snapshot, '$.alias_key')) WHERE kind = 'profile'`.execute(
    db,
  )
}
