import challenges from '#data/challenges.json' with { type: 'json' }

/** The countries of the catalogue by continent; those of two belong to the one where their breeds come from. */
export const CONTINENTS = challenges.continents
type Continent = keyof typeof CONTINENTS
export const CONTINENT_NAMES = Object.keys(CONTINENTS) as Continent[]

const byCountry = new Map<string, Continent>(
  CONTINENT_NAMES.flatMap((name) => CONTINENTS[name].map((country) => [country, name] as const)),
)

export const continentOf = (country: string): Continent | undefined => byCountry.get(country)

/** The provinces (INE) where each Spanish breed comes from, by slug. */
export const CRADLES: Readonly<Record<string, readonly string[]>> = challenges.cradles
