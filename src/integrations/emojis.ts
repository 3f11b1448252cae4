import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AstroIntegration } from 'astro'
import type { Plugin } from 'vite'

const MODULE_ID = 'virtual:emojis'
const emojiDataFile = createRequire(import.meta.url).resolve('@emoji-mart/data/sets/15/native.json')

interface EmojiData {
  categories: unknown
  emojis: Record<string, { id: string; version: number; skins: { native: string }[] }>
  sheet: unknown
}

/**
 * `virtual:emojis` is emoji-mart's data without what only its search and its sprite sets need: English names and keywords, and sprite
 * positions. 165 kB instead of 430.
 */
const plugin: Plugin = {
  name: 'perrario-emojis',
  resolveId: (id) => (id === MODULE_ID ? `\0${MODULE_ID}` : undefined),
  async load(id) {
    if (id !== `\0${MODULE_ID}`) return undefined
    const { categories, emojis, sheet } = JSON.parse(await readFile(emojiDataFile, 'utf8')) as EmojiData
    const entries = Object.values(emojis).map(({ id, version, skins }) => [
      id,
      { id, version, skins: skins.map(({ native }) => ({ native })) },
    ])
    const data = JSON.stringify({ categories, emojis: Object.fromEntries(entries), aliases: {}, sheet })
    return `export default JSON.parse(${JSON.stringify(data)})`
  },
}

/** Adds the reduced emoji data (see `plugin`). */
export const emojis = (): AstroIntegration => ({
  name: 'perrario:emojis',
  hooks: {
    'astro:config:setup': ({ updateConfig }) => {
      updateConfig({ vite: { plugins: [plugin] } })
    },
  },
})
