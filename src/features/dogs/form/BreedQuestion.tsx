import { Search, Sparkles } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { MIXED_BREED } from '#features/breeds/breeds.ts'

interface Props {
  /** The breeds detected in the photo, best first. */
  detected: readonly string[]
  /** The cover. */
  photo: string | undefined
  /** Goes back to the form's list of breeds. */
  search: () => void
}

/**
 * The question before a dog without a breed is saved, in the place of the fields. Each answer is a submit button with the breed as its value;
 * «No lo sé» is stored as the default.
 */
export default function BreedQuestion({ detected, photo, search }: Props): ReactNode {
  const root = useRef<HTMLDivElement>(null)
  // What is detected while it is open comes last: no button moves under the finger.
  const breeds = detected.filter((breed) => breed !== MIXED_BREED)
  const [first] = useState(breeds)
  const later = breeds.filter((breed) => !first.includes(breed))
  useLayoutEffect(() => root.current?.focus(), [])
  const suggestions = (some: readonly string[]) =>
    some.map((breed) => (
      <button key={breed} type="submit" className="btn" value={breed}>
        <Sparkles aria-hidden />
        {breed}
      </button>
    ))
  return (
    <div ref={root} className="df-ask" role="group" aria-labelledby="df-ask" tabIndex={-1}>
      {photo && <img src={photo} alt="" />}
      <h3 id="df-ask">¿De qué raza?</h3>
      {suggestions(first)}
      <button type="submit" className="btn" value={MIXED_BREED}>
        Mestizo
      </button>
      <button type="submit" className="btn" value={MIXED_BREED}>
        No lo sé
      </button>
      {suggestions(later)}
      <button type="button" className="btn soft" onClick={search}>
        <Search aria-hidden />
        Buscar otra
      </button>
    </div>
  )
}
