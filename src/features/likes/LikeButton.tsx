import { useStore } from '@nanostores/react'
import { SymbolIcon } from '#ui/SymbolIcon.tsx'
import { LIKE_LABEL } from './likes.ts'
import { $hearts, heartState } from './likes.store.ts'

interface Props {
  id: string
  /** The dog's, as in a sentence. */
  name: string
  /** The count that the server rendered. */
  likes: number
  /** Whether the signed-in member likes the dog, as the server rendered it. */
  liked?: boolean | undefined
  className: string
}

/**
 * A like button. It only renders: hearts.client.ts handles presses, and updates the buttons outside islands.
 */
export function LikeButton({ id, name, className, ...initial }: Props) {
  const rendered = { liked: initial.liked ?? false, likes: initial.likes }
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
      <SymbolIcon name="heart" />
      <span className="sr">{`${LIKE_LABEL}${name}: `}</span>
      <span className="num" data-like-count="">
        {likes}
      </span>
      <span className="sr" data-like-word="">
        {likes === 1 ? ' like' : ' likes'}
      </span>
    </button>
  )
}
