import type { FocusEvent } from 'react'
import { coverAlt } from '#features/dogs/photo-alt.ts'
import {
  MAP_ONE_LINE_TITLE_MAX_CHARS,
  CARD_STYLE_LABELS,
  formatDogAge,
  isTwoLineTitle,
} from '#features/dogs/card/card.ts'
import { displayName } from '#features/dogs/dogs.ts'
import { LikeButton } from '#features/likes/LikeButton.tsx'
import { photoSrc, photoSrcSet } from '#features/photos/photos.ts'
import { dogInSentence } from '#lib/text/names.ts'
import { shownZone } from '#lib/text/zone.ts'
import { SymbolIcon } from '#ui/SymbolIcon.tsx'
import type { CardForm } from './card-size.ts'
import type { StripDog } from './area-dogs.ts'
import './strip-card.css'

interface Props {
  dog: StripDog
  form: CardForm
  isSelected: boolean
  /** Marks the dog on the map: by the keyboard's focus or the card's «Ver en el mapa». */
  onSelect: (dog: StripDog) => void
}

/** A dog of the strip: a link to its page. */
export function StripCard({ dog, form, isSelected, onSelect }: Props) {
  const name = displayName(dog.name)
  const age = formatDogAge(dog)
  // Only keyboard focus, on the name or the heart: a press focuses too, and a card must not slide away beneath it.
  const focus = ({ target }: FocusEvent) => target.matches(':focus-visible') && onSelect(dog)
  const style = dog.card ? ` ${dog.card}` : ''
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it listens to focus inside it
    <article
      className={`sticker strip-card ${form}${style}${isSelected ? ' on' : ''}`}
      data-dog={dog.id}
      onFocus={focus}
    >
      <div className="shot">
        {dog.card && (
          <span className="row seal">
            <SymbolIcon name={dog.card === 'holo' ? 'sparkles' : 'star'} />
            {CARD_STYLE_LABELS[dog.card]}
          </span>
        )}
        <img
          className="pic"
          src={photoSrc(dog.photo_url, 'card')}
          srcSet={photoSrcSet(dog.photo_url, 'card')}
          alt={coverAlt(dog)}
          width={300}
          height={300}
          loading="lazy"
          decoding="async"
          draggable={false}
        />
      </div>
      <div className="text">
        <h3 className={isTwoLineTitle(name, age, MAP_ONE_LINE_TITLE_MAX_CHARS) ? 'long' : undefined}>
          <a href={dog.path} dir="auto" draggable={false} aria-current={isSelected || undefined}>
            {name}
          </a>
          {age && <small>{age}</small>}
        </h3>
        <span className="chip">{dog.breed}</span>
        <p className="foot">
          {dog.zone && (
            <button type="button" className="see" tabIndex={-1} onClick={() => onSelect(dog)}>
              <SymbolIcon name="pin" />
              <span className="sr">Ver en el mapa: </span>
              <span>{shownZone(dog.zone)}</span>
            </button>
          )}
          <LikeButton id={dog.id} name={dogInSentence(dog.name)} likes={dog.likes} className="lk" />
        </p>
      </div>
    </article>
  )
}
