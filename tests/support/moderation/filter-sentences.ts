import { readFileSync } from 'node:fs'

const file = readFileSync(new URL('../filter-sentences.txt', import.meta.url), 'utf8')

/** The sentences under each of the file's headings, ten a line. */
export const FILTER_SENTENCES: Record<string, string[]> = Object.fromEntries(
  file
    .split(/^# /m)
    .filter((part) => part !== '')
    .map((part) => part.trim().split(/ \| |\n/))
    .map(([heading, ...sentences]) => [heading, sentences]),
)
