'use client'

export function MoreComments() {
  return (
    <button type="button" className="btn older" onClick={() => location.reload()}>
      Ver más
    </button>
  )
}
