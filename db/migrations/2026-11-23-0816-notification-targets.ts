import { type Kysely, sql } from 'kysely'

/**
 * Lines of bells that quote or describe a comment, photo, dog or profile carry its id, by which they are deleted with it. Until now
 * they were found by the time of the comment, which is another one where the admin let it out of quarantine. Lines about what is gone
 * are deleted.
 */
export async function up(db: Kysely<any>): Promise<void> {
  for (const column of ['target_kind', 'target_id', 'target_dog_id'])
    await sql`ALTER TABLE notifications ADD COLUMN ${sql.raw(column)} TEXT`.execute(db)
  for (const column of ['target_id', 'target_dog_id'])
    await sql`CREATE INDEX notifications_${sql.raw(column.slice(0, -3))} ON notifications (${sql.raw(column)})
      WHERE ${sql.raw(column)} IS NOT NULL`.execute(db)
  await setNotificationTargets(db)
}

/** Sets the targets of the lines that are stored. */
export async function setNotificationTargets(db: Kysely<any>): Promise<void> {
  await matchCommentLines(db)
  await matchDecisionLines(db)
  await matchAdminLines(db)
}

interface CommentLine {
  rowid: number
  content: string
  actor_id: string | null
  dog_id: string | null
}

async function matchCommentLines(db: Kysely<any>): Promise<void> {
  await sql`UPDATE notifications SET target_kind = 'comment', target_id = (SELECT c.id FROM comments AS c
    WHERE c.dog_id = notifications.dog_id AND c.created_at = notifications.created_at AND c.user_id = notifications.actor_id)
    WHERE type = 'comment'`.execute(db)
  const { rows } = await sql<CommentLine>`SELECT rowid, content, actor_id, dog_id FROM notifications
    WHERE type = 'comment' AND target_id IS NULL`.execute(db)
  for (const line of rows) {
    const comments = await sql<{ id: string; content: string }>`SELECT id, content FROM comments
      WHERE dog_id = ${line.dog_id} AND user_id = ${line.actor_id} ORDER BY created_at DESC`.execute(db)
    const quoted = comments.rows.find((comment) => isQuotedBy(line.content, comment.content))
    if (quoted) await sql`UPDATE notifications SET target_id = ${quoted.id} WHERE rowid = ${line.rowid}`.execute(db)
  }
  await deleteLines(db, sql`type = 'comment' AND target_id IS NULL`)
}

/** «Ana ha comentado en Toby: «¡Qué guapo!»»; a longer comment is cut, with «…». */
function isQuotedBy(line: string, comment: string): boolean {
  const quote = line.slice(line.indexOf(': «') + 3, -1)
  const text = comment.replace(/\s+/g, ' ')
  return text === quote || (quote.endsWith('…') && text.startsWith(quote.slice(0, -1)))
}

/** Whether the target `kind`, `target_id` is in no table. */
const IS_GONE = sql`NOT EXISTS (SELECT 1 FROM held WHERE held.kind = target_kind AND held.thing_id = target_id)
  AND NOT EXISTS (SELECT 1 FROM held_comments WHERE target_kind = 'comment' AND held_comments.id = target_id)
  AND NOT EXISTS (SELECT 1 FROM comments WHERE target_kind = 'comment' AND comments.id = target_id)
  AND NOT EXISTS (SELECT 1 FROM dogs WHERE target_kind = 'dog' AND dogs.id = target_id)
  AND NOT EXISTS (SELECT 1 FROM dog_images WHERE target_kind = 'photo' AND dog_images.url = target_id)
  AND NOT EXISTS (SELECT 1 FROM held_photos WHERE target_kind = 'photo' AND held_photos.url = target_id)
  AND NOT EXISTS (SELECT 1 FROM users WHERE target_kind = 'profile' AND users.id = target_id)`

/** Lines to the people of a decision are written at its time. */
async function matchDecisionLines(db: Kysely<any>): Promise<void> {
  await setTargets(
    db,
    sql`SELECT n.rowid AS line, d.kind, coalesce(c.thing_id, d.thing_id) AS id, c.dog_id
      FROM notifications AS n
      JOIN decision_people AS p ON p.user_id = n.user_id AND p.created_at = n.created_at
      JOIN decisions AS d ON d.id = p.decision_id LEFT JOIN cases AS c ON c.id = d.case_id
      WHERE n.link = '/perfil/decisiones' AND d.kind != 'profile' AND d.deed IN ('hide', 'auto-hide', 'restore', 'warn')
        AND d.thing_id != '' AND instr(lower(n.content), lower(d.what)) > 0`,
  )
  await deleteLines(db, sql`link = '/perfil/decisiones' AND target_id IS NOT NULL AND ${IS_GONE}`)
}

/** Lines to the admin are written at the time of the automatic decision, or of the answer to one. */
async function matchAdminLines(db: Kysely<any>): Promise<void> {
  await setTargets(
    db,
    sql`SELECT n.rowid AS line, d.kind, coalesce(c.thing_id, d.thing_id) AS id, c.dog_id
      FROM notifications AS n JOIN decisions AS d ON d.created_at = n.created_at AND d.deed = 'auto-hide' AND d.what = n.content
      LEFT JOIN cases AS c ON c.id = d.case_id WHERE n.title = 'Ocultado por varias denuncias' AND n.link IS NOT NULL`,
  )
  await setTargets(
    db,
    sql`SELECT n.rowid AS line, d.kind, coalesce(c.thing_id, d.thing_id) AS id, c.dog_id
      FROM notifications AS n JOIN decision_people AS p ON p.user_id = n.actor_id AND p.appeal_at = n.created_at
      JOIN decisions AS d ON d.id = p.decision_id AND d.what = n.content
      LEFT JOIN cases AS c ON c.id = d.case_id WHERE n.title = 'Respuesta a una decisión' AND n.link IS NOT NULL`,
  )
  await deleteLines(
    db,
    sql`title = 'Ocultado por varias denuncias' AND link IS NOT NULL AND (target_id IS NULL OR (${IS_GONE}))`,
  )
  await sql`UPDATE notifications SET content = 'Algo que ya no está', target_kind = NULL, target_id = NULL, target_dog_id = NULL
    WHERE title = 'Respuesta a una decisión' AND link IS NOT NULL AND (target_id IS NULL OR (${IS_GONE}))`.execute(db)
  // Of a profile, the name that its member has when the line is read.
  await sql`UPDATE notifications SET content = ${'\u0001'} WHERE target_kind = 'profile' AND actor_id = target_id`.execute(
    db,
  )
}

/** @param lines selects `line` (rowid), `kind`, `id` and `dog_id` */
const setTargets = (db: Kysely<any>, lines: ReturnType<typeof sql>) =>
  sql`UPDATE notifications SET target_kind = t.kind, target_id = t.id, target_dog_id = t.dog_id
    FROM (${lines}) AS t WHERE notifications.rowid = t.line`.execute(db)

/** Deletes lines, with their events and what was to be pushed of them. */
async function deleteLines(db: Kysely<any>, which: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await sql<{ id: string }>`DELETE FROM notifications WHERE ${which} RETURNING id`.execute(db)
  for (const { id } of rows) {
    await sql`DELETE FROM events WHERE thing_id = ${id} AND type = 'notification'`.execute(db)
    await sql`DELETE FROM push_queue WHERE notification_id = ${id}`.execute(db)
  }
}
