import { GripVertical, ImagePlus, Star, TriangleAlert, X } from 'lucide-react'
import { type ChangeEvent, type DragEvent, useEffect, useRef, useState } from 'react'
import { MAX_PHOTOS } from '#features/photos/photos.ts'
import { FieldError } from '#features/dogs/form/fields/Field.tsx'
import { addedText, type Photo } from './gallery.ts'
import { PhotoPreview } from './PhotoPreview.tsx'
import { AltTextEditor, AltTextButton } from './AltTextEditor.tsx'
import { REORDER_TEXTS } from './reorder.ts'
import { useReorder } from './useReorder.client.ts'

interface Props {
  photos: Photo[]
  add: (files: Iterable<File>) => void
  remove: (id: string) => void
  move: (id: string, to: number) => void
  describe: (id: string, alt: string) => void
  /** What stands for a photo that nobody describes. */
  defaultAlt: string
  error: string | undefined
  /** What could not be taken in: too many, not an image. */
  notices: readonly string[]
  disabled: boolean
}

const TILTS = ['-0.5deg', '0.8deg', '-0.9deg', '0.6deg', '-0.6deg']

/** The photos: chosen, dropped or pasted; the first is the cover. */
export function PhotoGallery({ photos, add, remove, move, describe, defaultAlt, error, notices, disabled }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const adder = useRef<HTMLButtonElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const [said, setSaid] = useState('')
  const [shown, setShown] = useState<number | null>(null)
  const [toldId, setTold] = useState<string | null>(null)
  const [isOver, setOver] = useState(false)
  const ids = photos.map((photo) => photo.id)
  const reorder = useReorder({ list, ids, move, announce: setSaid })
  useAddedAnnouncement(photos, setSaid)
  const told = photos.find((photo) => photo.id === toldId)
  const ghost = reorder.ghost && photos.find((photo) => photo.id === reorder.ghost!.id)

  const take = (event: ChangeEvent<HTMLInputElement>) => {
    add([...(event.target.files ?? [])])
    // The same file may be chosen again after it was taken out.
    event.target.value = ''
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    add([...event.dataTransfer.files])
  }
  const knobOf = (id: string, knob: string) => list.current?.querySelector<HTMLElement>(`[data-photo="${id}"] ${knob}`)
  const takeOut = (id: string) => {
    const at = ids.indexOf(id)
    const next = ids[at + 1] ?? ids[at - 1]
    remove(id)
    setSaid(`Foto ${at + 1} quitada. Quedan ${ids.length - 1}.`)
    const button = next && knobOf(next, '.df-remove')
    if (button) button.focus()
    else adder.current?.focus()
  }

  const endWords = (id: string) => {
    setTold(null)
    knobOf(id, '.df-tell')?.focus()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping files is a shortcut of the button
    <div
      className="field df-photos"
      role="group"
      aria-labelledby="df-photos-label"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false)}
      onDrop={drop}
    >
      <span className="lab" id="df-photos-label">
        Fotos{' '}
        <span className="hint">
          {photos.length} de {MAX_PHOTOS}
        </span>
      </span>
      <ul ref={list} className="df-gallery" hidden={photos.length === 0}>
        {photos.map((photo, at) => (
          <li
            key={photo.id}
            data-photo={photo.id}
            data-lifted={reorder.liftedId === photo.id || reorder.ghost?.id === photo.id || undefined}
          >
            <button
              type="button"
              className="sticker df-tile"
              style={{ ['--tilt' as string]: TILTS[at % TILTS.length] }}
              aria-label={[`${photo.error ? 'Foto' : 'Ver foto'} ${at + 1}`, photo.error ?? photo.alt.trim()]
                .filter(Boolean)
                .join(': ')}
              onClick={() => photo.src && setShown(at)}
              onDragStart={(event) => event.preventDefault()}
              {...reorder.drag(photo.id)}
            >
              <span className="shot">
                {photo.src && photo.state !== 'failed' && <img src={photo.src} alt="" draggable={false} />}
                {photo.state === 'preparing' && <Preparing progress={photo.progress} />}
                {photo.state === 'failed' && (
                  <span className="df-failed" title={photo.error}>
                    <TriangleAlert aria-hidden />
                    No se pudo leer
                  </span>
                )}
              </span>
            </button>
            {at === 0 && photo.state !== 'failed' && (
              <span className="df-cover">
                <Star aria-hidden className="fill" />
                Portada
              </span>
            )}
            {photos.length > 1 && photo.state !== 'failed' && (
              <button
                type="button"
                className="df-knob df-handle"
                aria-label={`Mover foto ${at + 1}`}
                aria-describedby="df-reorder-how"
                disabled={disabled}
                {...reorder.handle(photo.id)}
              >
                <GripVertical aria-hidden />
              </button>
            )}
            {photo.state === 'ready' && (
              <AltTextButton
                photo={photo}
                position={at + 1}
                isOpen={photo.id === toldId}
                disabled={disabled}
                onClick={() => setTold(photo.id === toldId ? null : photo.id)}
              />
            )}
            <button
              type="button"
              className="df-knob df-remove"
              aria-label={`Quitar foto ${at + 1}`}
              disabled={disabled}
              onClick={() => takeOut(photo.id)}
            >
              <X aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {told && (
        <AltTextEditor
          photo={told}
          position={photos.length > 1 ? photos.indexOf(told) + 1 : null}
          defaultAlt={defaultAlt}
          change={(alt) => describe(told.id, alt)}
          done={() => endWords(told.id)}
        />
      )}
      <button
        type="button"
        ref={adder}
        id="df-images"
        className={photos.length ? 'btn wide df-more' : 'df-drop'}
        aria-describedby={error ? 'df-images-error' : undefined}
        disabled={disabled || photos.length >= MAX_PHOTOS}
        onClick={() => picker.current?.click()}
      >
        <ImagePlus aria-hidden />
        <span>Añadir fotos</span>
        {photos.length === 0 && (
          <small>
            Hasta {MAX_PHOTOS}.<span> Elígelas, arrástralas o pégalas.</span>
          </small>
        )}
      </button>
      {/* Files only images, several at once; HEIC by name too, since some systems know no type for it. */}
      <input
        ref={picker}
        type="file"
        accept="image/*,.heic,.heif"
        multiple
        hidden
        aria-label="Añadir fotos"
        onChange={take}
      />
      <FieldError id="df-images-error" text={error} />
      <div role="alert" className="df-notices">
        {[...failureTexts(photos), ...notices].map((text, at) => (
          <FieldError key={text} id={`df-notice-${at}`} text={text} />
        ))}
      </div>
      <span className="sr" id="df-reorder-how">
        {REORDER_TEXTS.how}
      </span>
      <span className="sr" aria-live="assertive">
        {said}
      </span>
      {ghost && reorder.ghost && (
        <div className="df-ghost" style={{ translate: `${reorder.ghost.x}px ${reorder.ghost.y}px` }} aria-hidden>
          <div className="sticker">
            <div className="shot">
              <img src={ghost.src} alt="" />
            </div>
          </div>
        </div>
      )}
      {shown !== null && photos.length > 0 && (
        <PhotoPreview
          photos={photos}
          index={Math.min(shown, photos.length - 1)}
          go={setShown}
          close={() => setShown(null)}
        />
      )}
    </div>
  )
}

/** Announces added photos once none is being prepared any more (WCAG 4.1.3); those that failed have their alert. */
function useAddedAnnouncement(photos: readonly Photo[], announce: (text: string) => void) {
  const pending = useRef(new Set<string>())
  useEffect(() => {
    for (const { id, state } of photos) if (state === 'preparing') pending.current.add(id)
    if (pending.current.size === 0 || photos.some(({ state }) => state === 'preparing')) return
    const added = photos.filter(({ id, state }) => state === 'ready' && pending.current.has(id)).length
    pending.current.clear()
    if (added > 0) announce(addedText(added, photos.length))
  }, [photos, announce])
}

/** One sentence a file that failed, with its name: which of ten it was is not easy to see. */
const failureTexts = (photos: readonly Photo[]) => [
  ...new Set(photos.flatMap(({ error, name }) => (error ? [`«${name}»: ${error}`] : []))),
]

function Preparing({ progress }: { progress: number }) {
  const percent = Math.round(progress * 100)
  return (
    <span className="df-preparing" role="progressbar" aria-label="Preparando foto" aria-valuenow={percent}>
      <i style={{ width: `${percent}%` }} />
    </span>
  )
}
