import { getOwn } from '#lib/identifiers.ts'

/** The countries of an origin as the catalogue has it: a slash joins two (docs/product.md §7.1); none for «». */
export const countries = (origin: string): string[] =>
  origin
    .split('/')
    .map((name) => name.trim())
    .filter(Boolean)

const WITH_ARTICLE: Readonly<Record<string, string>> = {
  'Reino Unido': 'del Reino Unido',
  'Países Bajos': 'de los Países Bajos',
  'República Checa': 'de la República Checa',
  India: 'de la India',
  'Tíbet (China)': 'del Tíbet',
}

/** «de España», «del Reino Unido». */
export const ofCountry = (country: string): string => getOwn(WITH_ARTICLE, country) ?? `de ${country}`
