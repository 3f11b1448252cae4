import { useStore } from '@nanostores/react'
import { Heart } from 'lucide-react'
import { $hearts, heartState } from './likes.store.ts'

interface Props {
  id: string
  name: string
  /** The count the server gave. */
  likes: number
  /** The member who looks likes it, as the server knew. */
  liked?: boolean | undefined
  className: string
}

/** A heart. It only draws: hearts.client.ts acts on presses, and repaints the hearts that are not hydrated. */
export function LikeButton({ id, name, className, ...given }: Props) {
  const rendered = { liked: given.liked ?? false, likes: given.likes }
  const { liked, likes, resting } = heartState(useStore($hearts, { ssr: 'initial' }), id, rendered)
  return (
    <button
      type="button"
      className={className}
      data-like={id}
      data-likes={rendered.likes}
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
