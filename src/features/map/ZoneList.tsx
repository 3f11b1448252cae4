import { DogCard } from '#features/dogs/card/DogCard.tsx'
import { toCardDog } from '#features/dogs/card/card-dog.ts'
import type { Dog } from '#features/dogs/dogs.ts'

/** The map as text, for browsers without script: a page of dogs grouped by zone. */
export function ZoneList({ dogs, liked }: { dogs: Dog[]; liked: string[] }) {
  const zones = Map.groupBy(dogs, (dog) => dog.zone ?? 'Sin zona')
  return (
    <div className="zones">
      {[...zones].map(([zone, zoneDogs]) => (
        <section key={zone} aria-label={zone}>
          <h2>{zone}</h2>
          <p className="soft">
            {zoneDogs.length} {zoneDogs.length === 1 ? 'perro' : 'perros'} en esta zona
          </p>
          <ul className="dogs">
            {zoneDogs.map((dog) => (
              <li key={dog.id}>
                <DogCard dog={toCardDog(dog)} liked={liked.includes(dog.id)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
