import { FREE_TEXT_NAMES } from '#features/dogs/write/dog-fields.ts'
import { editBreed } from '#features/breeds/edit.server.ts'
import { BREED_FIELDS, type BreedTexts } from '#features/breeds/edit.ts'
import { sendMemberMessage } from '#features/admin/members.server.ts'
import { addComment } from '#features/comments/comments.server.ts'
import { like } from '#features/likes/likes.server.ts'
import { giveOpinion, setOpinionsAsked } from '#features/opinions/opinions.server.ts'
import { addBlock } from '#features/moderation/blocks.server.ts'
import { submitAppeal } from '#features/reports/decisions/appeals.server.ts'
import { applyCaseAction } from '#features/reports/cases/case-actions.server.ts'
import type { CaseAction } from '#features/reports/decisions/decisions.ts'
import { submitReport } from '#features/reports/reports.server.ts'
import type { TestMember } from '#tests/support/members.ts'
import { addPasskeyRow } from '#tests/support/auth/passkey-row.ts'
import { signInMember } from '#tests/support/members.ts'
import { type LostPayloads, writeLostPayloads } from './lost-payloads.ts'
import { XSS_PAYLOADS } from './payloads.ts'
import type { TestServer } from '#tests/support/server.ts'
import { rowOf, update } from '#tests/support/rows.ts'

/** Every payload at once, and alone the one that runs only where nothing stands before it. */
const PAYLOAD_TEXTS = [XSS_PAYLOADS.join(' '), 'javascript:ran=1//']
/** A field's text, told apart from every other: escaped or not, the mark stays. */
const markText = (text: string, mark: string, n: number) => `${text} ·${mark}${n}·`

/** Texts that the world's pages must show, so that none is only believed to be there. */
export const expectedTexts = (marks: readonly string[]): string[] =>
  marks.flatMap((mark) => PAYLOAD_TEXTS.map((_, n) => markText('', mark, n).trim()))

export interface WrittenPayloads {
  /** Whose aliases, emojis and addresses are scripts. */
  attackers: TestMember[]
  /** Dogs whose name, breed, zone and description are. */
  paths: string[]
  /** Of those, what the admin hid. */
  hidden: string[]
  /** Pages about lost and found dogs. */
  lost: LostPayloads[]
}

/**
 * Writes scripts into every field there is, past the schemas that would refuse some of them: a row of last year, or a
 * schema that is loosened one day. `dogs` are Ana's, two for each text.
 */
export async function writePayloads(
  server: TestServer,
  {
    ana,
    luis,
    admin,
    dogs,
  }: { ana: TestMember; luis: TestMember; admin: TestMember; dogs: { id: string; path: string }[] },
): Promise<WrittenPayloads> {
  const world: WrittenPayloads = { attackers: [], paths: [], hidden: [], lost: [] }
  const asker = { user: admin, adminEmail: admin.email }
  const { db } = server

  // Before Ana is banned.
  for (const [n, text] of PAYLOAD_TEXTS.entries()) {
    const { id: dogId } = dogs[2 * n]!
    const of = (mark: string) => markText(text, mark, n)
    world.lost.push(await writeLostPayloads(db, { owner: ana, finder: luis, dogId, of }))
    await setOpinionsAsked(db, ana, dogId, true)
  }
  for (const [n, text] of PAYLOAD_TEXTS.entries()) {
    const of = (mark: string) => markText(text, mark, n)
    const who = await signInMember(server, `eva${n}@ejemplo.es`)
    world.attackers.push(who)
    await update(db, 'users', { id: who.id }, { email: of('email') })
    await update(db, 'profiles_all', { id: who.id }, { alias: of('alias'), alias_key: `x${n}`, emoji: of('emoji') })
    const [open, hide] = [dogs[2 * n]!, dogs[2 * n + 1]!]
    for (const { id, path } of [open, hide]) {
      const texts = Object.fromEntries(FREE_TEXT_NAMES.map((name) => [name, of(name)]))
      const fields = { name: of('name'), breed: of('breed'), zone: of('zone'), ...texts }
      await db.updateTable('dogs_all').set(fields).where('id', '=', id).execute()
      await update(db, 'dog_images_all', { dog_id: id }, { alt: of('alt') })
      world.paths.push(path)
    }
    world.hidden.push(hide.path)
    const { id: comment } = await addComment(db, who, open.id, 'Hola')
    await update(db, 'comments_all', { id: comment }, { content: of('comment') })
    await update(db, 'notifications_all', { actor_id: who.id }, { content: of('comment') })
    await like(db, who, open.id)
    await giveOpinion(db, who, open.id, { breed: 'Beagle' })
    await update(db, 'breed_opinions_all', { user_id: who.id }, { reason: of('opinion') })
    await addBlock(db, ana, who.id)
    await addPasskeyRow(db, ana.id, { name: of('keyname') })
    await sendMemberMessage(db, asker, ana.id, of('word'))

    const input = { kind: 'dog', id: hide.id, reason: 'otra', words: of('words') } as const
    await submitReport(db, luis, input, 'x')
    const { id: caseId } = await rowOf(db, 'cases', { thing_id: hide.id })
    const deeds: CaseAction[] = ['note', 'warn', 'ban', 'hide']
    for (const deed of deeds)
      await applyCaseAction(db, server.dataDir, asker, caseId, {
        deed,
        reason: of(deed),
        days: deed === 'ban' ? 7 : null,
      })
    const warned = await db
      .selectFrom('decisions')
      .select('id')
      .where('case_id', '=', caseId)
      .where('deed', '=', 'warn')
      .executeTakeFirstOrThrow()
    await submitAppeal(db, ana, warned.id, of('appeal'), admin.email)

    const texts = Object.fromEntries(Object.keys(BREED_FIELDS).map((field) => [field, of(field)])) as BreedTexts
    await editBreed(db, asker, ['beagle', 'boxer'][n]!, texts)
  }
  // What of the catalogue it knew was read before.
  await server.restart()
  return world
}
