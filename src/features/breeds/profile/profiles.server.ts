import group1 from '#data/breed-profiles/group-1.json' with { type: 'json' }
import group2 from '#data/breed-profiles/group-2.json' with { type: 'json' }
import group3 from '#data/breed-profiles/group-3.json' with { type: 'json' }
import group4 from '#data/breed-profiles/group-4.json' with { type: 'json' }
import group5 from '#data/breed-profiles/group-5.json' with { type: 'json' }
import group6 from '#data/breed-profiles/group-6.json' with { type: 'json' }
import group7 from '#data/breed-profiles/group-7.json' with { type: 'json' }
import group8 from '#data/breed-profiles/group-8.json' with { type: 'json' }
import group9 from '#data/breed-profiles/group-9.json' with { type: 'json' }
import group10 from '#data/breed-profiles/group-10.json' with { type: 'json' }
import others from '#data/breed-profiles/others.json' with { type: 'json' }
import type { BreedProfile } from './profiles.ts'

const files: unknown[] = [group1, group2, group3, group4, group5, group6, group7, group8, group9, group10, others]
const profiles = new Map(files.flatMap((file) => Object.entries(file as Record<string, BreedProfile>)))

/** The profile of a breed by its slug; undefined where it has none. */
export const profileOf = (slug: string): BreedProfile | undefined => profiles.get(slug)

export const profiledSlugs = (): string[] => [...profiles.keys()]
