'use client'
import { Heart } from 'lucide-react'
import { useState } from 'react'

export function LikeButton({ id, name, likes }) {
  const [state, setState] = useState({ liked: false, likes })
  const press = async () => {
    const answer = await fetch(`/api/dogs/${id}/like`, { method: state.liked ? 'DELETE' : 'PUT' })
    if (answer.ok) setState(await answer.json())
  }
  return (
    <button type="button" className="btn likes" aria-pressed={state.liked} onClick={press}>
      <Heart className="ic" aria-hidden />
      <span className="sr">Me gusta {name}: </span>
      <span className="num">{state.likes}</span>
      <span className="sr">{state.likes === 1 ? ' like' : ' likes'}</span>
    </button>
  )
}
