import { useLayoutEffect, useRef } from 'react'

interface Props {
  onCancel: () => void
  onDelete: () => void
}

/** The confirmation of docs/product.md §12.2, in a modal <dialog>: it traps the focus and returns it on close. */
export function DeleteDialog({ onCancel, onDelete }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current!
    const opener = document.activeElement
    element.showModal()
    return () => {
      element.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className="dlg ask"
      role="alertdialog"
      aria-labelledby="comentario-eliminar"
      onClose={onCancel}
    >
      <h2 className="dlg-body" id="comentario-eliminar">
        ¿Estás seguro de que quieres eliminar este comentario?
      </h2>
      <div className="row dlg-foot">
        <button type="button" className="btn" onClick={onCancel}>
          Cancelar
        </button>
        <button type="button" className="btn pri" onClick={onDelete}>
          Eliminar
        </button>
      </div>
    </dialog>
  )
}
