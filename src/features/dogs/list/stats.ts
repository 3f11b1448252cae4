import { formatAge } from '#lib/age.ts'
import type { DogStats } from '../dogs.ts'
import { type ListQuery, sortKey } from './list-query.ts'

const numberFormat = new Intl.NumberFormat('es-ES', { maximumFractionDigits: 1, useGrouping: 'always' })
export const formatNumber = (value: number): string => numberFormat.format(value)

export interface Stat {
  figure: string
  label: string
}

const formatKilos = (value: number | null) => (value === null ? '–' : `${numberFormat.format(value)} kg`)
const formatMonths = (value: number | null) => (value === null ? '–' : formatAge(value))
const formatFigure = (value: number | null) => (value === null ? '–' : numberFormat.format(value))

/**
 * The statistics strip (docs/product.md §4.2): today, dogs and breeds; with a breed chosen those of the whole community and
 * three of the breed; then the figures of the active sort.
 * @param visible in map view, how many dogs the map shows instead of the number of dogs; null while that is unknown
 */
export function statRows(query: ListQuery, stats: DogStats, breedName: string | null, visible?: number | null): Stat[] {
  const isBreedChosen = breedName !== null
  const today = isBreedChosen ? stats.todayTotal : stats.today
  const dogs = isBreedChosen ? stats.total : stats.dogs
  const breeds = isBreedChosen ? stats.breedsTotal : stats.breeds
  const rows: Stat[] = [
    { figure: formatFigure(today), label: today === 1 ? 'nuevo hoy' : 'nuevos hoy' },
    visible === undefined
      ? { figure: formatFigure(dogs), label: dogs === 1 ? 'perro' : 'perros' }
      : { figure: formatFigure(visible), label: 'Visibles' },
    { figure: formatFigure(breeds), label: breeds === 1 ? 'raza' : 'razas' },
  ]
  if (isBreedChosen) {
    const percent = stats.total === 0 ? 0 : Math.round((stats.dogs / stats.total) * 100)
    rows.push(
      { figure: formatFigure(stats.dogs), label: breedName },
      { figure: formatFigure(stats.today), label: `${breedName} hoy` },
      { figure: `${percent} %`, label: 'del total' },
    )
  }
  const key = sortKey(query.sort)
  if (key === 'weight')
    rows.push(
      { figure: formatKilos(stats.weightMax), label: 'peso máx.' },
      { figure: formatKilos(stats.weightMin), label: 'peso mín.' },
    )
  if (key === 'age')
    rows.push(
      { figure: formatMonths(stats.ageMax), label: 'edad máx.' },
      { figure: formatMonths(stats.ageMin), label: 'edad mín.' },
    )
  if (key === 'votes')
    rows.push(
      { figure: formatFigure(stats.likes), label: stats.likes === 1 ? 'like' : 'likes' },
      { figure: formatFigure(stats.likesMax), label: 'likes máx.' },
      { figure: formatFigure(stats.likesMin), label: 'likes mín.' },
    )
  return rows
}
