import guide from '#data/breed-guide.json' with { type: 'json' }
import { capitalise } from '#lib/text/capitalise.ts'
import type { Breed } from '#features/breeds/breeds.ts'
import { ofCountry } from '#features/breeds/countries.ts'

/** What there is to tell of the countries with the most breeds. */
const OWN_TEXTS: Readonly<Record<string, string>> = guide.countries

const decimal = new Intl.NumberFormat('es-ES', { maximumFractionDigits: 1 })

/** The text of a country's list: its own, or what its breeds' facts tell. */
export function describeCountry(country: string, breeds: readonly Breed[]): string {
  return OWN_TEXTS[country] ?? describeByFacts(country, breeds)
}

function describeByFacts(country: string, breeds: readonly Breed[]): string {
  const [first] = breeds
  if (!first) return ''
  if (breeds.length === 1)
    return `${capitalise(ofCountry(country))} el álbum tiene una sola raza, ${first.nombre_castellano}. Nació como ${first.proposito_original} y pesa entre ${decimal.format(first.peso_kg_min)} y ${decimal.format(first.peso_kg_max)} kilos.`
  const byWeight = breeds.toSorted((a, b) => a.peso_kg_max - b.peso_kg_max)
  const [smallest, largest] = [byWeight[0]!, byWeight.at(-1)!]
  return `${capitalise(ofCountry(country))} el álbum tiene ${breeds.length} razas${groupsText(breeds)}. La más ligera es ${smallest.nombre_castellano}, que no pasa de ${decimal.format(smallest.peso_kg_max)} kilos, y la más pesada, ${largest.nombre_castellano}, que puede llegar a ${decimal.format(largest.peso_kg_max)}.`
}

/** «, la mayoría del grupo de …», where more than half share one. */
function groupsText(breeds: readonly Breed[]): string {
  const byGroup = Map.groupBy(breeds, (breed) => breed.fci_grupo)
  const [group, members] = [...byGroup].toSorted(([, a], [, b]) => b.length - a.length)[0]!
  const name = group === null ? undefined : guide.groups[String(group) as keyof typeof guide.groups]?.name
  return name && members.length * 2 > breeds.length ? `, la mayoría del grupo de ${name.toLowerCase()}` : ''
}
