import type { Db } from '#db/client.ts'
import { findCommentOfQuarantinedDog, quoteComment } from '#features/comments/quarantined-comments.server.ts'
import { formatDogAge } from '#features/dogs/card/card.ts'
import { displayName } from '#features/dogs/dogs.ts'
import { formatNumber } from '#features/dogs/list/stats.ts'
import { FREE_TEXT_NAMES, type FreeText } from '#features/dogs/write/dog-fields.ts'
import { parseQuarantinedDog, type QuarantinedPhoto, photosOfQuarantined } from '#features/dogs/quarantine.server.ts'
import {
  findQuarantined,
  type QuarantinedContent,
  readQuarantined,
  readQuarantinedDogOfPhoto,
} from '#features/moderation/quarantine.server.ts'
import { opinionPaths } from '#features/opinions/opinion-paths.ts'
import type { OpinionRow } from '#features/opinions/quarantine.server.ts'
import { quarantinedPhotoUrl } from '#features/photos/photos.ts'
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
    const label = `Foto ${dogInSentence(dog.name, 'de')}, ${dog.breed}`
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
  memberIds: [...new Set([dog.owner_id, dog.discoverer_id, dog.user_id])].filter((id) => id !== null),
})

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
  isQuarantined: boolean
  /** A comment or photo whose dog is in quarantine: nobody sees it, and it returns with the dog unless `isQuarantined`. */
  isDogQuarantined: boolean
}

/** The target, public or in quarantine, by itself or with its dog; undefined once it is deleted. */
export async function findReviewTarget(db: Db, kind: TargetKind, id: string): Promise<ReviewTarget | undefined> {
  const item = await readQuarantined(db, kind, id)
  if (item) {
    const isDogQuarantined =
      kind !== 'dog' && item.dog_id !== null && (await findQuarantined(db, 'dog', item.dog_id)) !== undefined
    return { ...toQuarantinedTarget(item), isQuarantined: true, isDogQuarantined }
  }
  const target = await FIND_BY_KIND[kind](db, id)
  if (target) {
    const quote = target.quote ?? target.texts ?? null
    return { ...target, quote, isQuarantined: false, isDogQuarantined: false }
  }
  const hidden = await findTargetOfQuarantinedDog(db, kind, id)
  return hidden && { ...hidden, isQuarantined: false, isDogQuarantined: true }
}

/** A comment, photo or opinion that nobody sees, since its dog is in quarantine. */
async function findTargetOfQuarantinedDog(db: Db, kind: TargetKind, id: string): Promise<ReportTarget | undefined> {
  const base = { kind, id, path: paths.home }
  if (kind === 'opinion') {
    // Also one whose question is closed, and of a member who waits for their deletion.
    const opinion = await selectOpinion(db, id).executeTakeFirst()
    return opinion && toOpinionTarget(opinion)
  }
  if (kind === 'comment') {
    const comment = await findCommentOfQuarantinedDog(db, id)
    return comment && { ...base, ...toCommentFields(comment), dogId: comment.dog_id, memberIds: [comment.user_id] }
  }
  const item = kind === 'photo' ? await readQuarantinedDogOfPhoto(db, id) : undefined
  const snapshot = item && parseQuarantinedDog(item)
  const image = snapshot?.images.find(({ url }) => url === id)
  if (!snapshot || !image) return undefined
  const fields = toDogFields(snapshot.dog)
  const photos = [quarantinedPhotoUrl(id)]
  return { ...fields, ...base, name: 'esta foto', label: `Foto de ${fields.label}`, photos, alts: toAltLines([image]) }
}

const toCommentFields = ({ content }: { content: string }) => ({
  name: 'este comentario',
  label: quoteComment(content),
  quote: content,
  photos: [],
})

/** A quarantined item as a report target. Its photo addresses answer only its people and the admin. */
export function toQuarantinedTarget(item: QuarantinedContent): ReportTarget {
  const { kind, thing_id: id, dog_id: dogId } = item
  const memberIds = [item.user_id, item.other_id].filter((userId) => userId !== null)
  const base = {
    kind,
    id,
    dogId,
    memberIds,
    quote: null,
    path: paths.home,
    photos: photosOfQuarantined(item).map(quarantinedPhotoUrl),
  }
  if (kind === 'dog') {
    const { dog, images } = parseQuarantinedDog(item)
    return {
      ...base,
      ...toDogFields(dog),
      quote: freeTextsOf(dog),
      name: dogInSentence(dog.name),
      facts: toDogFacts(dog),
      alts: toAltLines(images),
    }
  }
  if (kind === 'photo') {
    const { what: label, image } = JSON.parse(item.snapshot) as QuarantinedPhoto
    return { ...base, name: 'esta foto', label, alts: toAltLines([image]) }
  }
  if (kind === 'comment') return { ...base, ...toCommentFields(JSON.parse(item.snapshot) as { content: string }) }
  if (kind === 'opinion')
    return { ...toOpinionTarget({ ...(JSON.parse(item.snapshot) as OpinionRow), alias: null }), name: 'esta opinión' }
  const { alias, emoji } = JSON.parse(item.snapshot) as { alias: string; emoji: string }
  return { ...base, name: `el perfil de ${alias}`, label: `${emoji} ${alias}`, path: paths.member(id) }
}
