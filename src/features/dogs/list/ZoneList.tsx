import { DogCard } from '../DogCard.tsx'
import type { Dog } from '../dogs.ts'

/** The map view in words: the loaded dogs gathered by zone. The map itself stands in its place once issue 4 brings it. */
export function ZoneList({ dogs, liked, busy }: { dogs: Dog[]; liked: string[]; busy: boolean }) {
  const zones = Map.groupBy(dogs, (dog) => dog.zone ?? 'Sin zona')
  return (
    <div className="zones" aria-busy={busy}>
      {[...zones].map(([zone, here]) => (
        <section key={zone} aria-label={zone}>
          <h2>{zone}</h2>
          <p className="soft">
            {here.length} {here.length === 1 ? 'perro' : 'perros'} en esta zona
          </p>
          <ul className="dogs">
            {here.map((dog) => (
              <li key={dog.id}>
                <DogCard dog={dog} liked={liked.includes(dog.id)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
