import { BadgeCheck, Compass, House } from 'lucide-react'
import Link from 'next/link'

function Person({ person, part, children }) {
  return (
    <Link href={`/usuario/${person.id}`}>
      <span className="ava" aria-hidden="true">
        {person.emoji}
      </span>
      <span className="grow">
        <small>{part}</small>
        <b>
          {person.alias}
          {person.verified === 1 && <BadgeCheck className="ic ticked" aria-label="Verificado" />}
        </b>
        {children}
      </span>
    </Link>
  )
}

const Home = ({ name }) => (
  <span className="badge sun">
    <House className="ic" aria-hidden="true" />
    Vive con {name}
  </span>
)

export function People({ name, uploader, isDiscoverer, owner }) {
  return (
    <div className="people" id="personas">
      {uploader && (
        <Person person={uploader} part="Subido por">
          {isDiscoverer ? (
            <span className="badge sky">
              <Compass className="ic" aria-hidden="true" />
              Descubridor
            </span>
          ) : (
            <Home name={name} />
          )}
        </Person>
      )}
      {owner && (
        <Person person={owner} part="Dueño">
          <Home name={name} />
        </Person>
      )}
    </div>
  )
}
