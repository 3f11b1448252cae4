import { DogCard } from '#features/dogs/card/DogCard.tsx'
import type { Dog } from '#features/dogs/dogs.ts'

/** The map in words, for browsers without script: a page of dogs gathered by zone. */
export function ZoneList({ dogs, liked }: { dogs: Dog[]; liked: string[] }) {
  const zones = Map.groupBy(dogs, (dog) => dog.zone ?? 'Sin zona')
  return (
    <div className="zones">
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
