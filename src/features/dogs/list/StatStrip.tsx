import { useEffect } from 'react'
import { TODAY_EVENT } from '../today/today.ts'
import type { DogStats } from '../dogs.ts'
import type { Stat } from './stats.ts'

interface Props {
  rows: Stat[]
  stats: DogStats
}

/** The statistics strip. New figures also update the header's «perros nuevos», so that both agree. */
export function StatStrip({ rows, stats }: Props) {
  const { todayTotal } = stats
  useEffect(() => void window.dispatchEvent(new CustomEvent(TODAY_EVENT, { detail: todayTotal })), [todayTotal])
  return (
    <dl className="stats flow" aria-label="Estadísticas">
      {rows.map(({ figure, label }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="num">{figure}</dd>
        </div>
      ))}
    </dl>
  )
}
