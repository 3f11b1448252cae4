import type { Db } from '#db/client.ts'
import { quoteComment } from '#features/comments/own-comments.server.ts'
import { formatDogAge } from '#features/dogs/card/card.ts'
import { displayName } from '#features/dogs/dogs.ts'
import { formatNumber } from '#features/dogs/list/stats.ts'
import { FREE_TEXT_NAMES, type FreeText } from '#features/dogs/write/dog-fields.ts'
import { findHiddenDog, peopleIdsOf } from '#features/dogs/hidden-dogs.server.ts'
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

/** Whether the target is public. */
export const isTargetPublic = async (db: Db, kind: TargetKind, id: string): Promise<boolean> =>
  (await FIND_BY_KIND[kind](db, id)) !== undefined

/** The public target that a report names. @throws AppError 404 where there is none */
export async function getReportTarget(db: Db, kind: TargetKind, id: string): Promise<ReportTarget> {
  const target = await FIND_BY_KIND[kind](db, id)
  if (!target) throw notFound(REPORT_TEXTS.gone)
  return target
}

const FIND_BY_KIND: Record<TargetKind, (db: Db, id: string) => Promise<ReportTarget | undefined>> = {
  dog: async (db, id) => {
    const dog = await findDogRow(db, id)
    if (!dog) return undefined
    const images = await db
      .selectFrom('dog_images')
      .select(['url', 'alt'])
      .where('dog_id', '=', id)
      .orderBy('order')
      .execute()
    const photos = images.map(({ url }) => url)
    const name = dogInSentence(dog.name)
    const texts = freeTextsOf(dog)
    const facts = toDogFacts(dog)
    return { ...toDogFields(dog), kind: 'dog', id, name, texts, facts, photos, alts: toAltLines(images) }
  },
  photo: async (db, url) => {
    const image = await db.selectFrom('dog_images').select(['dog_id', 'alt']).where('url', '=', url).executeTakeFirst()
    const dog = image && (await findDogRow(db, image.dog_id))
    if (!dog) return undefined
    const label = photoLabel(dog)
    const name = `esta foto ${dogInSentence(dog.name, 'de')}`
    return { ...toDogFields(dog), kind: 'photo', id: url, name, photos: [url], alts: toAltLines([image]), label }
  },
  comment: async (db, id) => {
    const row = await db
      .selectFrom('comments as c')
      .innerJoin('dogs as d', 'd.id', 'c.dog_id')
      .leftJoin('profiles as p', 'p.id', 'c.user_id')
      .select(['c.content', 'c.user_id', 'c.dog_id', 'p.alias', 'd.path_breed', 'd.path_slug'])
      .where('c.id', '=', id)
      .executeTakeFirst()
    if (!row) return undefined
    return {
      kind: 'comment',
      id,
      name: `este comentario de ${row.alias ?? FALLBACK_ALIAS}`,
      label: quoteComment(row.content),
      path: `${paths.dog(row)}#comentarios`,
      quote: row.content,
      photos: [],
      dogId: row.dog_id,
      memberIds: [row.user_id],
    }
  },
  opinion: async (db, id) => {
    const row = await selectOpinion(db, id)
      .innerJoin('dogs as d', 'd.id', 'o.dog_id')
      .where('r.closed_at', 'is', null)
      .executeTakeFirst()
    return row && toOpinionTarget(row)
  },
  profile: async (db, id) => {
    const row = await db.selectFrom('profiles').select(['alias', 'emoji']).where('id', '=', id).executeTakeFirst()
    if (!row) return undefined
    const name = `el perfil de ${row.alias}`
    const label = `${row.emoji} ${row.alias}`
    return {
      kind: 'profile',
      id,
      name,
      label,
      path: paths.member(id),
      quote: null,
      photos: [],
      dogId: null,
      memberIds: [id],
    }
  },
}

/** The breed alone is nothing to report. */
const selectOpinion = (db: Db, id: string) =>
  db
    .selectFrom('breed_opinions as o')
    .innerJoin('opinion_requests as r', 'r.dog_id', 'o.dog_id')
    .leftJoin('profiles as p', 'p.id', 'o.user_id')
    .select(['o.id', 'o.reason', 'o.user_id', 'o.dog_id', 'p.alias'])
    .where('o.id', '=', id)
    .where('o.reason', '!=', '')

type ReportedOpinion = Pick<OpinionRow, 'id' | 'reason' | 'user_id' | 'dog_id'> & { alias: string | null }

const toOpinionTarget = ({ id, reason, alias, dog_id, user_id }: ReportedOpinion): ReportTarget => ({
  kind: 'opinion',
  id,
  name: `esta opinión de ${alias ?? FALLBACK_ALIAS}`,
  label: quoteComment(reason),
  path: `${opinionPaths.list(dog_id)}#lista`,
  quote: reason,
  photos: [],
  dogId: dog_id,
  memberIds: [user_id],
})

/** «Foto 2: Duerme en el sofá» */
const toAltLines = (images: readonly { alt: string | null }[]): string[] =>
  images.flatMap(({ alt }, index) => (alt ? [`${images.length > 1 ? `Foto ${index + 1}` : 'Foto'}: ${alt}`] : []))

const findDogRow = (db: Db, id: string) =>
  db
    .selectFrom('dogs')
    .select([
      'id',
      'name',
      'breed',
      ...FREE_TEXT_NAMES,
      'path_breed',
      'path_slug',
      'owner_id',
      'discoverer_id',
      'user_id',
    ])
    .select(['age', 'age_unit', 'weight', 'size', 'is_adopted', 'zone'])
    .where('id', '=', id)
    .executeTakeFirst()

type DogRow = NonNullable<Awaited<ReturnType<typeof findDogRow>>>

const toDogFields = (dog: DogRow) => ({
  label: `${displayName(dog.name)}, ${dog.breed}`,
  path: paths.dog(dog),
  quote: null,
  dogId: dog.id,
  memberIds: peopleIdsOf(dog),
})

const photoLabel = (dog: Pick<DogRow, 'name' | 'breed'>): string =>
  `Foto ${dogInSentence(dog.name, 'de')}, ${dog.breed}`

const freeTextsOf = (dog: Pick<DogRow, FreeText>): string | null =>
  FREE_TEXT_NAMES.flatMap((name) => dog[name] ?? []).join('\n\n') || null

const toDogFacts = (dog: Pick<DogRow, 'age' | 'age_unit' | 'weight' | 'size' | 'is_adopted' | 'zone'>): string =>
  [
    formatDogAge(dog),
    dog.weight !== null && `${formatNumber(dog.weight)} kg`,
    dog.size && `tamaño ${dog.size}`,
    dog.is_adopted === 1 && 'adoptado',
    dog.zone,
  ]
    .filter(Boolean)
    .join(' · ')

/** A target as the admin reviews it, with everything that is public once it is restored. */
export interface ReviewTarget extends ReportTarget {
  /** By itself. */
  isHidden: boolean
  /** A comment, photo or opinion whose dog is hidden: nobody sees it, and it returns with the dog unless `isHidden`. */
  isDogHidden: boolean
}

/** The target, shown or hidden, by itself or with its dog; undefined once it is deleted. */
export async function findReviewTarget(db: Db, kind: TargetKind, id: string): Promise<ReviewTarget | undefined> {
  const row = await findContent(db, kind, id)
  if (!row) return undefined
  const isHidden = row.hidden !== 0
  const target = isHidden ? undefined : await FIND_BY_KIND[kind](db, id)
  if (target) return { ...target, quote: target.quote ?? target.texts ?? null, isHidden, isDogHidden: false }
  const hidden = await toHiddenTarget(db, { kind, id, row } as ContentItem)
  // An opinion that is not hidden by itself is out of sight as well where nobody asks about its dog any more.
  const isDogHidden = !isHidden || (hidden.dogId !== null && (await findHiddenDog(db, hidden.dogId)) !== undefined)
  return { ...hidden, isHidden, isDogHidden: kind !== 'dog' && kind !== 'profile' && isDogHidden }
}

const toCommentFields = ({ content }: { content: string }) => ({
  name: 'este comentario',
  label: quoteComment(content),
  quote: content,
})

/** What nobody sees as a report target. Its photo addresses answer only its people and the admin. */
export async function toHiddenTarget(db: Db, { kind, id, row }: ContentItem): Promise<ReportTarget> {
  const base = { kind, id, quote: null, path: paths.home, photos: [], dogId: null, memberIds: [id] }
  if (kind === 'dog') {
    const images = await db
      .selectFrom('dog_images')
      .select(['url', 'alt'])
      .where('dog_id', '=', id)
      .orderBy('order')
      .execute()
    const photos = images.map(({ url }) => hiddenPhotoUrl(url))
    const texts = { quote: freeTextsOf(row), facts: toDogFacts(row), alts: toAltLines(images) }
    return { ...base, ...toDogFields(row), ...texts, name: dogInSentence(row.name), photos }
  }
  if (kind === 'photo') {
    const dog = await findContent(db, 'dog', row.dog_id)
    const fields = dog && { ...toDogFields(dog), label: photoLabel(dog) }
    return {
      ...base,
      label: '',
      ...fields,
      path: paths.home,
      name: 'esta foto',
      photos: [hiddenPhotoUrl(id)],
      alts: toAltLines([row]),
    }
  }
  if (kind === 'comment') return { ...base, ...toCommentFields(row), dogId: row.dog_id, memberIds: [row.user_id] }
  if (kind === 'opinion') return { ...toOpinionTarget({ ...row, alias: null }), name: 'esta opinión' }
  return { ...base, name: `el perfil de ${row.alias}`, label: `${row.emoji} ${row.alias}`, path: paths.member(id) }
}
