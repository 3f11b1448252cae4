import { useEffect, useRef, useState } from 'react'
import { inBackground } from '#lib/background.client.ts'
import { MIXED_BREED } from '#features/breeds/breeds.ts'
import { defaultAlt } from '#features/dogs/photo-alt.ts'
import { MAX_PHOTOS } from '#features/photos/photos.ts'
import type { DogFormView } from '#features/dogs/form/dog-form.client.ts'
import { type FormValues, storedBreed } from '#features/dogs/form/form-values.ts'
import { FieldError } from '#features/dogs/form/fields/Field.tsx'
import { AddPhotosButton } from './AddPhotosButton.tsx'
import { addedText, countPhotos, failureTexts, type Photo, tooManyText } from './gallery.ts'
import { PhotoTile } from './PhotoTile.tsx'
import { REORDER_TEXTS } from './reorder.ts'
import { useReorder } from './useReorder.client.ts'

interface Props {
  form: DogFormView
  disabled: boolean
}

/** The photos: chosen, dropped or pasted; the first is the cover. */
export function PhotoGallery({ form, disabled }: Props) {
  const { photos, refused } = form
  const { add, remove, move, describe } = form.gallery
  const error = form.errors.images
  const notices = [...failureTexts(photos), ...form.notImages, ...(refused > 0 ? [tooManyText(refused)] : [])]
  const list = useRef<HTMLUListElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const [previewIndex, setPreviewIndex] = useState<number | null>(null)
  const [describedId, setDescribedId] = useState<string | null>(null)
  const ids = photos.map((photo) => photo.id)
  const count = countPhotos(photos)
  const reorder = useReorder(list, photos, move, setAnnouncement)
  useAddedAnnouncement(photos, setAnnouncement)
  const isEmpty = photos.length === 0
  const [onePhoto, setOnePhoto] = useState<typeof import('./OnePhoto.tsx')>()
  // With the first photo: who opens one types at once, into no field where it is still on its way, and may be without signal by then.
  useEffect(() => {
    if (!isEmpty) inBackground(import('./OnePhoto.tsx').then(setOnePhoto))
  }, [isEmpty])
  const describedPhoto = photos.find((photo) => photo.id === describedId)

  const buttonOf = (id: string, selector: string) =>
    list.current?.querySelector<HTMLElement>(`[data-photo="${id}"] ${selector}`)
  const removePhoto = (id: string) => {
    const index = ids.indexOf(id)
    const neighbourId = ids[index + 1] ?? ids[index - 1]
    remove(id)
    setAnnouncement(`Foto ${index + 1} quitada. Quedan ${ids.length - 1}.`)
    const button = neighbourId && buttonOf(neighbourId, '.df-remove')
    if (button) button.focus()
    else addButton.current?.focus()
  }
  const closeDescription = (id: string) => {
    setDescribedId(null)
    buttonOf(id, '.df-describe')?.focus()
  }

  return (
    <div className="field df-photos" role="group" aria-labelledby="df-photos-label">
      <span className="lab" id="df-photos-label">
        Fotos{' '}
        <span className="hint">
          {count} de {MAX_PHOTOS}
        </span>
      </span>
      <ul ref={list} className="df-gallery" hidden={isEmpty}>
        {photos.map((photo, index) => (
          <PhotoTile
            key={photo.id}
            photo={photo}
            index={index}
            isOnly={photos.length === 1}
            isDescribing={photo.id === describedId}
            disabled={disabled}
            reorder={reorder}
            open={() => setPreviewIndex(index)}
            toggleDescription={() => setDescribedId(photo.id === describedId ? null : photo.id)}
            remove={() => removePhoto(photo.id)}
          />
        ))}
      </ul>
      {describedPhoto && onePhoto && (
        <onePhoto.AltTextEditor
          photo={describedPhoto}
          position={photos.length > 1 ? photos.indexOf(describedPhoto) + 1 : null}
          defaultAlt={altOf(form.values)}
          change={(alt) => describe(describedPhoto.id, alt)}
          done={() => closeDescription(describedPhoto.id)}
        />
      )}
      <AddPhotosButton ref={addButton} count={count} hasError={Boolean(error)} disabled={disabled} add={add} />
      <FieldError id="df-images-error" text={error} />
      <div role="alert" className="df-notices">
        {notices.map((text, index) => (
          <FieldError key={text} id={`df-notice-${index}`} text={text} />
        ))}
      </div>
      <span className="sr" id="df-reorder-how">
        {REORDER_TEXTS.how}
      </span>
      <span className="sr" aria-live="assertive">
        {announcement}
      </span>
      <DragGhost ghost={reorder.ghost} photos={photos} />
      {previewIndex !== null && photos.length > 0 && onePhoto && (
        <onePhoto.PhotoPreview
          photos={photos}
          index={Math.min(previewIndex, photos.length - 1)}
          go={setPreviewIndex}
          close={() => setPreviewIndex(null)}
        />
      )}
    </div>
  )
}

/** The alt text of a photo without a description. */
const altOf = (values: FormValues) =>
  defaultAlt({ name: values.name.trim(), breed: storedBreed(values) || MIXED_BREED, zone: values.zone.trim() })

/** Announces added photos once none is being prepared any more (WCAG 4.1.3); those that failed have their alert. */
function useAddedAnnouncement(photos: readonly Photo[], announce: (text: string) => void) {
  const pending = useRef(new Set<string>())
  useEffect(() => {
    for (const { id, state } of photos) if (state === 'preparing') pending.current.add(id)
    if (pending.current.size === 0 || photos.some(({ state }) => state === 'preparing')) return
    const added = photos.filter(({ id, state }) => state === 'ready' && pending.current.has(id)).length
    pending.current.clear()
    if (added > 0) announce(addedText(added, countPhotos(photos)))
  }, [photos, announce])
}

/** The dragged photo under the pointer. */
function DragGhost({ ghost, photos }: { ghost: ReturnType<typeof useReorder>['ghost']; photos: readonly Photo[] }) {
  const photo = ghost && photos.find(({ id }) => id === ghost.id)
  if (!photo) return null
  return (
    <div className="df-ghost" style={{ translate: `${ghost.x}px ${ghost.y}px` }} aria-hidden>
      <div className="sticker">
        <div className="shot">
          <img src={photo.src} alt="" />
        </div>
      </div>
    </div>
  )
}
