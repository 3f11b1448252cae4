import { ImagePlus } from 'lucide-react'
import { type ChangeEvent, type RefObject, useRef } from 'react'
import { MAX_PHOTOS } from '#features/photos/photos.ts'

interface Props {
  ref: RefObject<HTMLButtonElement | null>
  /** How many photos the gallery has. */
  count: number
  hasError: boolean
  disabled: boolean
  add: (files: Iterable<File>) => void
}

/** The button that opens the file picker; a large drop area while the gallery is empty. */
export function AddPhotosButton({ ref, count, hasError, disabled, add }: Props) {
  const picker = useRef<HTMLInputElement>(null)
  const onPick = (event: ChangeEvent<HTMLInputElement>) => {
    add([...(event.target.files ?? [])])
    // Without this the same file could not be chosen again after its removal.
    event.target.value = ''
  }
  return (
    <>
      <button
        type="button"
        ref={ref}
        id="df-images"
        className={count > 0 ? 'btn wide df-more' : 'df-drop'}
        aria-describedby={hasError ? 'df-images-error' : undefined}
        disabled={disabled || count >= MAX_PHOTOS}
        onClick={() => picker.current?.click()}
      >
        <ImagePlus aria-hidden />
        <span>Añadir fotos</span>
        {count === 0 && (
          <small>
            Hasta {MAX_PHOTOS}.<span> Elígelas, arrástralas o pégalas.</span>
          </small>
        )}
      </button>
      {/* HEIC by extension too: some systems have no type for it. */}
      <input
        ref={picker}
        type="file"
        accept="image/*,.heic,.heif"
        multiple
        hidden
        aria-label="Añadir fotos"
        onChange={onPick}
      />
    </>
  )
}
