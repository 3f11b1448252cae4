import type { CacheOptions } from 'astro'
import { untilMadridMidnight } from '#lib/dates.ts'
import { tag } from './tags.ts'

/** Never longer than this over a midnight that summer time moves, seconds. */
const LONGEST = 3600

/**
 * What a page says to `Astro.cache.set`: kept until something named by `tags` changes. Every page invites visitors to join so
 * and so many members, so every page is about them too. Say it before the page is written: its answer begins with it.
 */
export const kept = (...tags: string[]): CacheOptions => ({ tags: [tag.members, ...tags] })

/** The same for a page whose header or figures count what came today (Madrid). */
export const keptToday = (...tags: string[]): CacheOptions => ({
  tags: [tag.members, tag.dogs, ...tags],
  maxAge: Math.min(LONGEST, Math.floor(untilMadridMidnight(Date.now()) / 1000)),
})

/** The tags of dogs that a page shows as cards. */
export const dogTags = (dogs: readonly { id: string }[] | undefined): string[] =>
  (dogs ?? []).map(({ id }) => tag.dog(id))
