import type { Db } from '#db/client.ts'
import { quoteComment } from '#features/comments/own-comments.server.ts'
import { formatDogAge } from '#features/dogs/card/card.ts'
import type { DogRow } from '#features/dogs/dog.server.ts'
import { displayName } from '#features/dogs/dogs.ts'
import { formatNumber } from '#features/dogs/list/stats.ts'
import { FREE_TEXT_NAMES } from '#features/dogs/write/dog-fields.ts'
import { peopleIdsOf } from '#features/dogs/hidden-dogs.server.ts'
import { type ContentItem, findContent } from '#features/moderation/content.server.ts'
import { opinionPaths } from '#features/opinions/opinion-paths.ts'
import type { OpinionRow } from '#features/opinions/hidden-opinions.server.ts'
import { hiddenPhotoUrl } from '#features/photos/photos.ts'
import { dogInSentence, FALLBACK_ALIAS } from '#lib/text/names.ts'
import { notFound } from '#lib/errors.ts'
import { paths } from '#lib/paths.ts'
import type { TargetKind } from './target-kinds.ts'
import { REPORT_TEXTS, type ReportTargetSummary } from './reports.ts'

/** What a report is about, with its members. */
export interface ReportTarget extends ReportTargetSummary {
  dogId: string | null
  /** Ids of its members; a dog's owner first. */
  memberIds: string[]
  /** The target in words that outlive it, for the log. */
  label: string
  /** A dog's free texts: people who report it read them on its page. */
  texts?: string | null
  /** A dog's other fields: «3 años · 12 kg · tamaño mediano · adoptado · Lugo»; empty where it has none. */
  facts?: string
  /** Alternative texts of its photos, which the page does not show as text. */
  alts?: string[]
}

/** A target as the admin reviews it. Its photo addresses answer only its people and the admin while it is out of sight. */
export interface ReviewTarget extends ReportTarget {
  /** By itself. */
  isHidden: boolean
  /** A comment, photo or opinion whose dog is hidden: nobody sees it, and it returns with the dog unless `isHidden`. */
  isDogHidden: boolean
}

/** Whether the target is public. */
export async function isTargetPublic(db: Db, kind: TargetKind, id: string): Promise<boolean> {
  const target = await findReviewTarget(db, kind, id)
  return target !== undefined && !target.isHidden && !target.isDogHidden
}

/** The public target that a report names. @throws AppError 404 where there is none */
export async function getReportTarget(db: Db, kind: TargetKind, id: string): Promise<ReportTarget> {
  const target = await findReviewTarget(db, kind, id)
  if (!target || target.isHidden || target.isDogHidden) throw notFound(REPORT_TEXTS.gone)
  return target
}

/** The target, shown or hidden, by itself or with its dog; undefined once it is deleted. */
export async function findReviewTarget(db: Db, kind: TargetKind, id: string): Promise<ReviewTarget | undefined> {
  const row = await findContent(db, kind, id)
  if (!row) return undefined
  const [item, isHidden] = [{ kind, id, row } as ContentItem, row.hidden !== 0]
  const base = { kind, id, quote: null, photos: [], dogId: null, memberIds: [id], isHidden, isDogHidden: false }
  if (item.kind === 'profile') {
    const { alias, emoji } = item.row
    return { ...base, name: `el perfil de ${alias}`, label: `${emoji} ${alias}`, path: paths.member(id) }
  }
  const dog = item.kind === 'dog' ? item.row : await findContent(db, 'dog', item.row.dog_id)
  if (!dog) return undefined
  const ofDog = { ...base, path: paths.dog(dog), dogId: dog.id, memberIds: peopleIdsOf(dog) }
  const label = `${displayName(dog.name)}, ${dog.breed}`
  const address = (url: string) => (isHidden || dog.hidden !== 0 ? hiddenPhotoUrl(url) : url)
  if (item.kind === 'dog') {
    const images = await db
      .selectFrom('dog_images')
      .select(['url', 'alt'])
      .where('dog_id', '=', id)
      .orderBy('order')
      .execute()
    const texts = FREE_TEXT_NAMES.flatMap((name) => dog[name] ?? []).join('\n\n') || null
    const photos = images.map(({ url }) => address(url))
    const shown = { texts, facts: toDogFacts(dog), photos, alts: toAltLines(images) }
    return { ...ofDog, name: dogInSentence(dog.name), label, ...shown }
  }
  const isDogHidden = dog.hidden !== 0
  if (item.kind === 'photo') {
    const of = dogInSentence(dog.name, 'de')
    const shown = { photos: [address(id)], alts: toAltLines([item.row]) }
    return { ...ofDog, name: `esta foto ${of}`, label: `Foto ${of}, ${dog.breed}`, ...shown, isDogHidden }
  }
  const author = await db.selectFrom('profiles').select('alias').where('id', '=', item.row.user_id).executeTakeFirst()
  const by = `de ${author?.alias ?? FALLBACK_ALIAS}`
  const written = { ...ofDog, memberIds: [item.row.user_id], isDogHidden }
  if (item.kind === 'comment') {
    const { content } = item.row
    const path = `${ofDog.path}#comentarios`
    return { ...written, name: `este comentario ${by}`, label: quoteComment(content), path, quote: content }
  }
  const { reason } = item.row
  // One that is not hidden by itself is out of sight as well where nobody asks about its dog any more.
  const isOut = isDogHidden || (!isHidden && !(await isPublicOpinion(db, item.row)))
  const path = `${opinionPaths.list(dog.id)}#lista`
  const name = `esta opinión ${by}`
  return { ...written, name, label: quoteComment(reason), path, quote: reason, isDogHidden: isOut }
}

/** The breed alone is nothing to report. */
async function isPublicOpinion(db: Db, { reason, dog_id }: OpinionRow): Promise<boolean> {
  const open = db.selectFrom('opinion_requests').select('dog_id').where('dog_id', '=', dog_id)
  return reason !== '' && (await open.where('closed_at', 'is', null).executeTakeFirst()) !== undefined
}

/** «Foto 2: Duerme en el sofá» */
const toAltLines = (images: readonly { alt: string | null }[]): string[] =>
  images.flatMap(({ alt }, index) => (alt ? [`${images.length > 1 ? `Foto ${index + 1}` : 'Foto'}: ${alt}`] : []))

const toDogFacts = (dog: DogRow): string =>
  [
    formatDogAge(dog),
    dog.weight !== null && `${formatNumber(dog.weight)} kg`,
    dog.size && `tamaño ${dog.size}`,
    dog.is_adopted === 1 && 'adoptado',
    dog.zone,
  ]
    .filter(Boolean)
    .join(' · ')
