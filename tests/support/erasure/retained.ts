import type { Canary } from './canaries.ts'
import type { World } from './world.ts'

interface RetainedText {
  columns: readonly string[]
  words: readonly Canary[]
  when: (world: World) => boolean
  why: string
}

/** What stays of something that is gone, and why: docs/privacy.md says the same. */
export const RETAINED_TEXTS: readonly RetainedText[] = [
  {
    columns: ['dog_paths.slug'],
    words: ['name', 'othername'],
    when: () => true,
    why: 'shared links: an address that a dog had leads on, or answers 410, and is given to no other; a name alone',
  },
  {
    columns: ['decisions.what'],
    words: ['name', 'breed', 'othername', 'otherbreed', 'comment', 'alias', 'otheralias'],
    when: ({ isModerated, hasAccount }) => isModerated && hasAccount,
    why: 'the log of decisions: what was decided of, for whoever answers for it (Reglamento (UE) 2022/2065, art. 17)',
  },
  {
    columns: ['notifications_all.content'],
    words: ['name', 'breed', 'othername', 'otherbreed', 'comment'],
    when: ({ steps, hasAccount }) => hasAccount && steps.some((step) => step.startsWith('remove')),
    why: 'its author was told what the admin deleted of theirs, and may answer; the bells of others hold nothing of it',
  },
]

/** Why a word that is gone may still stand in this column; undefined: it may not. */
export const retentionReason = (world: World, column: string, canary: Canary): string | undefined =>
  RETAINED_TEXTS.find(({ columns, words, when }) => columns.includes(column) && words.includes(canary) && when(world))
    ?.why
