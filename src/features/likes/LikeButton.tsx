import { useStore } from '@nanostores/react'
import { Heart } from 'lucide-react'
import { $hearts, heartOf } from './likes.store.ts'

interface Props {
  id: string
  name: string
  /** The count the server gave. */
  likes: number
  className: string
}

/** A heart. It only draws: likes.client.ts acts on presses, and repaints the hearts that are not hydrated. */
export function LikeButton({ id, name, likes: rendered, className }: Props) {
  const { liked, likes, resting } = heartOf(useStore($hearts, { ssr: 'initial' }), id, rendered)
  return (
    <button
      type="button"
      className={className}
      data-like={id}
      data-likes={rendered}
      aria-pressed={liked}
      aria-disabled={resting}
    >
      <Heart className="ic" aria-hidden />
      <span className="sr">Me gusta {name}: </span>
      <span className="num" data-like-count>
        {likes}
      </span>
      <span className="sr" data-like-word>
        {likes === 1 ? ' like' : ' likes'}
      </span>
    </button>
  )
}
