import { capitalise } from '#lib/text/capitalise.ts'
import type { Breed } from '#features/breeds/breeds.ts'
import { ofCountry } from '#features/breeds/countries.ts'
import { FCI_GROUPS } from '#features/breeds/profile/groups.ts'

/** What there is to tell of the countries with the most breeds. */
const OWN_TEXTS: Readonly<Record<string, string>> = {
  España:
    'De los mastines de la trashumancia al podenco que caza a diente, casi todo lo que España ha criado tiene que ver con el monte, el ganado y el conejo. Muchas de sus razas solo las reconoce nuestro país, y varias las salvaron cuatro pastores y una universidad. Si has visto un villano de las Encartaciones, cuéntalo: hay pocos.',
  'Reino Unido':
    'Ningún país ha puesto por escrito tantas razas. Las islas dieron casi todos los terriers, los spaniels, los setters, varios sabuesos y, de paso, la idea misma de un estándar y de una exposición. El zorro, la rata, la perdiz y la oveja explican el resto.',
  Francia:
    'Francia conserva una colección de sabuesos que no tiene nadie, con apellidos de región y colores de escarapela, además de bracos, spaniels y pastores para cada comarca. El caniche y el bulldog francés son la parte de la familia que se fue a vivir a la ciudad.',
  Alemania:
    'Perros con oficio y con examen. De aquí salen los pinscher y schnauzer, los perros de muestra polivalentes, los sabuesos de sangre, los pastores y un buen puñado de gigantes. En Alemania muchas razas de caza aún tienen que aprobar antes de criar.',
  'Estados Unidos':
    'Un país de perros mezclados a propósito: para la rama donde se sube el mapache, para el rancho, para la caravana. Convive lo que reconoce la FCI con lo que registran sus propios clubes, y también con los cruces de moda que llevan nombre de marca.',
  Italia:
    'Guardianes de pelo blanco para los Apeninos, un mastín de arrugas napolitanas, bracos con andar de trotón, el perro de las trufas y los mínimos de palacio. Italia cría poco, y de todo lo que hay en una casa de campo.',
  México:
    'El xoloitzcuintle acompañaba a los muertos antes de que llegaran los barcos, y el chihuahua es hoy el perro más pequeño del mundo. Entre los dos cuentan la historia entera, del altar al bolso.',
  Argentina:
    'Un médico cordobés, Antonio Nores Martínez, quiso un perro blanco capaz de sujetar un jabalí en la pampa, y de su proyecto salió el dogo argentino. En España la ley lo incluye entre los perros potencialmente peligrosos.',
}

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
  const name = group === null ? undefined : FCI_GROUPS[group]?.name
  return name && members.length * 2 > breeds.length ? `, la mayoría del grupo de ${name.toLowerCase()}` : ''
}
