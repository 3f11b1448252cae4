import Link from 'next/link'
import { AddDog } from './AddDog.jsx'
import { PLACES } from './places.jsx'

const place = ({ href, label, icon, current }) => (
  <Link key={href} href={href} aria-current={current}>
    {icon}
    {label}
  </Link>
)

export function TabBar() {
  return (
    <nav className="tabbar" aria-label="Principal">
      {PLACES.slice(0, 2).map(place)}
      <AddDog className="plus" label="Añadir" />
      {PLACES.slice(2).map(place)}
    </nav>
  )
}
