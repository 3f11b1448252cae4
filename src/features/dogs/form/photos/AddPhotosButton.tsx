import { Camera, ImagePlus } from 'lucide-react'
import { type ChangeEvent, type RefObject, useRef, useState } from 'react'
import { NO_CAMERA } from '#features/photos/camera.ts'
import { MAX_PHOTOS } from '#features/photos/photos.ts'

interface Props {
  ref: RefObject<HTMLButtonElement | null>
  /** How many photos the gallery has. */
  count: number
  hasError: boolean
  disabled: boolean
  add: (files: Iterable<File>) => void
}

/** The button that opens the file picker, a large drop area while the gallery is empty; on phones one more beside it for the camera. */
export function AddPhotosButton({ ref, count, hasError, disabled, add }: Props) {
  const picker = useRef<HTMLInputElement>(null)
  const [hasNoCamera, setNoCamera] = useState(false)
  const isOff = disabled || count >= MAX_PHOTOS
  const onPick = (event: ChangeEvent<HTMLInputElement>) => {
    add([...(event.target.files ?? [])])
    // Without this the same file could not be chosen again after its removal.
    event.target.value = ''
  }
  const open = (isCamera: boolean) => {
    const input = picker.current!
    setNoCamera(false)
    input.toggleAttribute('capture', isCamera)
    input.multiple = !isCamera
    input.addEventListener('cancel', () => setNoCamera(isCamera), { once: true })
    input.click()
  }
  return (
    <>
      <div className="flow df-sources">
        <button
          type="button"
          ref={ref}
          id="df-images"
          className={count > 0 ? 'btn' : 'df-drop'}
          aria-describedby={hasError ? 'df-images-error' : undefined}
          disabled={isOff}
          onClick={() => open(false)}
        >
          <ImagePlus aria-hidden />
          <span>Añadir fotos</span>
          {count === 0 && <small>Hasta {MAX_PHOTOS}. Elígelas, arrástralas o pégalas.</small>}
        </button>
        {matchMedia('(pointer: coarse)').matches && (
          <button type="button" className={count > 0 ? 'btn' : 'df-drop'} disabled={isOff} onClick={() => open(true)}>
            <Camera aria-hidden />
            <span>Hacer foto</span>
          </button>
        )}
      </div>
      <span role="status" className="hint">
        {hasNoCamera && NO_CAMERA}
      </span>
      {/* By extension too: some systems have no type for them. */}
      <input
        ref={picker}
        type="file"
        accept="image/*,.heic,.heif,.mpo"
        multiple
        hidden
        aria-label="Añadir fotos"
        onChange={onPick}
      />
    </>
  )
}
