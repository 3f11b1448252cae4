import { atom } from 'nanostores'
import type { CommentEvent } from '#features/live/live.ts'

/** What the stream told of the page's dog since the page was made, in order; 'resync' where something is missing. */
export const $commentEvents = atom<readonly (CommentEvent | 'resync')[]>([])
