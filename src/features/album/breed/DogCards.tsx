import { toCardDog } from '#features/dogs/card/card-dog.ts'
import { DogCard } from '#features/dogs/card/DogCard.tsx'
import type { Dog } from '#features/dogs/dogs.ts'

/** A grid of cards in one React render: one per card would cost more than the card itself. Never hydrated. */
export function DogCards({ dogs, liked }: { dogs: readonly Dog[]; liked: ReadonlySet<string> }) {
  return (
    <div className="dogs">
      {dogs.map((dog) => (
        <DogCard key={dog.id} dog={toCardDog(dog)} liked={liked.has(dog.id)} />
      ))}
    </div>
  )
}
