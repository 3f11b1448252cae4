import type { CacheOptions } from 'astro'
import { msUntilMadridMidnight } from '#lib/dates.ts'

/**
 * What a kept page was made of, by name. A page lists what it shows; a change of a row drops the pages that list what it
 * touches (changes.ts). A like touches its dog and what counts likes, so that it empties neither the album nor a breed.
 */
export const cacheTag = {
  /** Which dogs there are, and anything of any of them that is no count: names, breeds, addresses, photos. */
  dogs: 'dogs',
  /** One dog with its counts, photos and comments. */
  dog: (id: string) => `dog:${id}`,
  /** The dogs of one breed: which they are, and how many. */
  breed: (slug: string) => `breed:${slug}`,
  /** How many likes the dogs have: lists in that order. */
  votes: 'votes',
  /** Which members there are, and how they call themselves. */
  members: 'members',
  /** The figures of one member: dogs, breeds, likes given. */
  member: (id: string) => `member:${id}`,
  /** The figures of any member: the ranking. */
  ranking: 'ranking',
  /** What the catalogue says of any breed, and the operator's photos of them. */
  breeds: 'breeds',
} as const

/** Never longer than this over a midnight that summer time moves, seconds. */
const MAX_AGE_SECONDS = 3600

/**
 * What a page says to `Astro.cache.set`: kept until something named by `tags` changes. Every page invites visitors to join so
 * and so many members, so every page is about them too. Say it before the page is written: its answer begins with it.
 */
export const cacheUntilChanged = (...tags: string[]): CacheOptions => ({ tags: [cacheTag.members, ...tags] })

/** The same for a page whose header or figures count what came today (Madrid). */
export const cacheUntilMidnight = (...tags: string[]): CacheOptions => ({
  tags: [cacheTag.members, cacheTag.dogs, ...tags],
  maxAge: Math.min(MAX_AGE_SECONDS, Math.floor(msUntilMadridMidnight(Date.now()) / 1000)),
})

/** The tags of dogs that a page shows as cards. */
export const dogTags = (dogs: readonly { id: string }[] | undefined): string[] =>
  (dogs ?? []).map(({ id }) => cacheTag.dog(id))
