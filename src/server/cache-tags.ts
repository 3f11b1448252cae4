import type { CacheOptions } from 'astro'
import { msUntilMadridMidnight } from '#lib/dates.ts'

/**
 * Cache tags: a page lists those of what it shows, and a change of a row evicts the pages with its tags
 * (app/page-cache/invalidation.ts). A like invalidates its dog and the lists by likes, but neither the album nor a breed.
 */
export const cacheTag = {
  /** The set of dogs, and all their data except counts: names, breeds, addresses, photos. */
  dogs: 'dogs',
  /** One dog with its counts, photos and comments. */
  dog: (id: string) => `dog:${id}`,
  /** The dogs of one breed and their number. */
  breed: (slug: string) => `breed:${slug}`,
  /** The dogs' likes: lists in that order. */
  votes: 'votes',
  /** The set of members, and their aliases and emojis. */
  members: 'members',
  /** The figures of one member: dogs, breeds, likes given. */
  member: (id: string) => `member:${id}`,
  /** The figures of any member: the ranking. */
  ranking: 'ranking',
  /** Who has done the week's challenge. */
  challenge: 'challenge',
  /** The catalogue's texts of any breed, and the operator's photos of breeds. */
  breeds: 'breeds',
  /** The set of lost dogs, and what their cases say. A case that is out of sight with its dog or owner is so by the tag `dogs`. */
  lost: 'lost',
  /** The community's years. */
  years: 'years',
} as const

/** Stands before the tag where no more than counts have changed: a like or a comment was added. */
export const COUNT_CHANGE_PREFIX = '~'

/** Upper bound, because a change to summer time moves midnight, seconds. */
const MAX_AGE_SECONDS = 3600

/**
 * Options for `Astro.cache.set`: the page is cached until something with one of `tags` changes. Every page shows visitors the
 * number of members, so `members` is always one of them. Call it in the page's frontmatter, before its HTML is written.
 */
export const cacheUntilChanged = (...tags: string[]): CacheOptions => ({ tags: [cacheTag.members, ...tags] })

/** The same for a page that counts what was added today (Madrid). */
export const cacheUntilMidnight = (...tags: string[]): CacheOptions => ({
  tags: [cacheTag.members, cacheTag.dogs, ...tags],
  maxAge: Math.min(MAX_AGE_SECONDS, Math.floor(msUntilMadridMidnight(Date.now()) / 1000)),
})

/** The same options, ending at the first of these times as well (ms): what the page shows changes then by the clock alone. */
export function endingAt(options: CacheOptions, times: readonly (number | undefined)[]): CacheOptions {
  const seconds = times.filter((time) => time !== undefined).map((time) => Math.floor((time - Date.now()) / 1000))
  const maxAge = Math.min(options.maxAge ?? Infinity, ...seconds)
  return Number.isFinite(maxAge) ? { ...options, maxAge: Math.max(0, maxAge) } : options
}

/** Cache tags of dogs that a page shows as cards. */
export const dogTags = (dogs: readonly { id: string }[] | undefined): string[] =>
  (dogs ?? []).map(({ id }) => cacheTag.dog(id))
