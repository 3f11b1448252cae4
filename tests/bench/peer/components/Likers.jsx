'use client'
import { X } from 'lucide-react'
import { useRef } from 'react'
import { likerSummary } from '../lib/texts.js'

export function Likers({ likes, first }) {
  const dialog = useRef(null)
  return (
    <>
      <p className="who soft">
        {likes === 0 ? (
          <span>Aún no le gusta a nadie</span>
        ) : (
          <button type="button" onClick={() => dialog.current.showModal()}>
            <span>{likes > 1 ? 'Les gusta' : 'Le gusta'}</span> a <b>{likerSummary(likes, first)}</b>
          </button>
        )}
      </p>
      <dialog ref={dialog} className="dlg" aria-labelledby="likers-title">
        <div className="dlg-head">
          <h2 id="likers-title">Usuarios a los que les gusta</h2>
          <button className="btn icon ghost" type="button" aria-label="Cerrar" onClick={() => dialog.current.close()}>
            <X aria-hidden="true" />
          </button>
        </div>
        <div className="dlg-body">
          <ul className="likers" />
          <p role="status" />
        </div>
      </dialog>
    </>
  )
}
