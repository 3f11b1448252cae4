import { type Kysely, sql } from 'kysely'

/** Lines that are read at once. */
const PAGE_SIZE = 1000

/**
 * Lines of bells hold placeholders instead of names, and events hold neither names nor what a line says: both are looked up
 * when they are read, so that a rename rewrites nothing. `named_id` is the member that a line of grouped likes names, where it is
 * not the member who gave the last like.
 */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE notifications ADD COLUMN named_id TEXT REFERENCES users (id) ON DELETE SET NULL`.execute(db)
  await sql`CREATE INDEX notifications_named ON notifications (named_id) WHERE named_id IS NOT NULL`.execute(db)
  await sql`ALTER TABLE account_erasures DROP COLUMN alias`.execute(db)
  // The few events of a dog itself are found without reading those of its likes and comments.
  await sql`DROP INDEX events_dog`.execute(db)
  await sql`CREATE INDEX events_dog ON events (dog_id, type) WHERE dog_id IS NOT NULL`.execute(db)
  await sql`UPDATE events SET data = json_remove(data, '$.comment.alias', '$.comment.emoji') WHERE type = 'comment'`.execute(
    db,
  )
  await sql`UPDATE events SET data = json_remove(data, '$.notification.type', '$.notification.title', '$.notification.content',
    '$.notification.is_read', '$.notification.created_at', '$.notification.path') WHERE type = 'notification'`.execute(
    db,
  )
  await replaceStoredNames(db)
}

interface Line {
  rowid: number
  type: 'like' | 'comment' | 'other'
  title: string
  content: string
  actor_id: string | null
  dog_id: string | null
  alias: string | null
  dog: string | null
}

/** Puts placeholders where lines spell out the names of today. A line that spells out another name stays as it is. */
export async function replaceStoredNames(db: Kysely<any>): Promise<void> {
  // By alias, which has no index.
  const members = await sql<{ id: string; alias: string }>`SELECT id, alias FROM profiles`.execute(db)
  const ids = new Map(members.rows.map(({ id, alias }) => [alias, id]))
  for (let after = 0; ;) {
    const { rows } =
      await sql<Line>`SELECT n.rowid, n.type, n.title, n.content, n.actor_id, n.dog_id, p.alias, d.name AS dog
      FROM notifications AS n LEFT JOIN profiles AS p ON p.id = n.actor_id LEFT JOIN dogs AS d ON d.id = n.dog_id
      WHERE n.rowid > ${after} ORDER BY n.rowid LIMIT ${PAGE_SIZE}`.execute(db)
    for (const line of rows) {
      const { content, named = null } = line.type === 'like' ? replaceInLikes(line, ids) : replaceInOther(line)
      if (content !== line.content)
        await sql`UPDATE notifications SET content = ${content}, named_id = ${named} WHERE rowid = ${line.rowid}`.execute(
          db,
        )
    }
    if (rows.length < PAGE_SIZE) return
    after = rows.at(-1)!.rowid
  }
}

const ALIAS_PLACEHOLDER = '\u0001'
const DOG_PLACEHOLDER = '\u0002'
const FALLBACK_ALIAS = 'Usuario'
const NEW_BREED_TITLE = '¡Nueva raza en tu álbum!'

const inSentence = (name: string) => (name === '???' ? 'el perro sin nombre' : name)

/** «A Ana le gusta Toby», «A Ana y 3 más les gusta Toby»: an alias may hold any of these words. */
function replaceInLikes(line: Line, ids: ReadonlyMap<string, string>): { content: string; named?: string | null } {
  const { content, actor_id } = line
  const dog = line.dog === null ? null : inSentence(line.dog)
  const many = dog === null ? null : cutEnd(content, ` más les gusta ${dog}`)
  const parts = many === null ? null : /^A (.+) y (\d+)$/s.exec(many)
  const one = dog === null ? null : cutEnd(content, ` le gusta ${dog}`)
  const alias = parts?.[1] ?? (one?.startsWith('A ') ? one.slice(2) : undefined)
  if (alias === undefined) return { content }
  const named = ids.get(alias) ?? (alias === FALLBACK_ALIAS && line.alias === null ? actor_id : null)
  const name = named === null ? alias : ALIAS_PLACEHOLDER
  return {
    content: parts
      ? `A ${name} y ${parts[2]} más les gusta ${DOG_PLACEHOLDER}`
      : `A ${name} le gusta ${DOG_PLACEHOLDER}`,
    named: named === actor_id ? null : named,
  }
}

const cutEnd = (text: string, end: string): string | null => (text.endsWith(end) ? text.slice(0, -end.length) : null)

/** The actor's name at the beginning, and the dog's before any quotation. */
function replaceInOther({ content, title, actor_id, dog_id, alias, dog }: Line): { content: string; named?: null } {
  if (title === NEW_BREED_TITLE) return { content }
  const start = `${alias ?? FALLBACK_ALIAS} `
  const isNamed = actor_id !== null && content.startsWith(start)
  const text = isNamed ? `${ALIAS_PLACEHOLDER} ${content.slice(start.length)}` : content
  return { content: dog_id === null || dog === null ? text : replaceDog(text, inSentence(dog)) }
}

const isWordCharacter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)

function replaceDog(content: string, dog: string): string {
  const quote = content.indexOf('«')
  let at = quote < 0 ? content.length : quote
  do at = at > 0 ? content.lastIndexOf(dog, at - 1) : -1
  while (at >= 0 && (isWordCharacter(content[at - 1]) || isWordCharacter(content[at + dog.length])))
  return at < 0 ? content : content.slice(0, at) + DOG_PLACEHOLDER + content.slice(at + dog.length)
}
