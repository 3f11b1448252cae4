import { foldText } from './text.ts'

/**
 * The normalised form of docs/product.md §26.2: lower case, without accents and parentheses, spaces as hyphens, other characters
 * removed. Runs of hyphens collapse, so that «Pastor - Alemán» and «Pastor Alemán» are the same.
 */
export function slugify(text: string): string {
  return foldText(text)
    .trim()
    .replace(/\s+/g, '-')
    .replace(/[^a-z0-9-]/g, '')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
}

/** The slug of a dog's name. A dog without a name, or named only in emoji, is `sin-nombre`. */
export function nameSlug(name: string): string {
  return slugify(name) || 'sin-nombre'
}
