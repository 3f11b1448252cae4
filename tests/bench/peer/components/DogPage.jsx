import { ChevronRight, MessageCircle } from 'lucide-react'
import Link from 'next/link'
import { commentCount, photoAlt, photoSrc, SEALS, shownName } from '../lib/texts.js'
import { Comments } from './Comments.jsx'
import { Facts } from './Facts.jsx'
import { Gallery } from './Gallery.jsx'
import { LikeButton } from './LikeButton.jsx'
import { Likers } from './Likers.jsx'
import { People } from './People.jsx'

export function DogPage({ dog, uploader, owner, author, comments, firstLiker }) {
  const name = shownName(dog.name)
  const breed = `/razas/${dog.breed_slug}`
  const urls = dog.images.map(({ url }) => url)
  const photos = urls.includes(dog.photo_url) ? urls : [dog.photo_url, ...urls]
  return (
    <article className="dog-page">
      <Gallery
        photos={photos.map((url) => ({ url, src: photoSrc(url) }))}
        alt={photoAlt(dog)}
        card={dog.card}
        seal={dog.card && SEALS[dog.card]}
        zone={dog.zone}
      />
      <div className="info">
        <h1>
          <Link href={breed}>{name}</Link>
        </h1>
        <Link className="breed-link" href={breed}>
          {dog.breed} <ChevronRight className="ic" aria-hidden="true" />
        </Link>
        {dog.is_adopted === 1 && <span className="badge park">Adoptado</span>}
        <div className="acts">
          <LikeButton id={dog.id} name={name} likes={dog.votes} />
          <a className="btn" href="#comentarios">
            <MessageCircle className="ic" aria-hidden="true" />
            <span>{commentCount(dog.comments_count)}</span>
          </a>
        </div>
        <Likers likes={dog.votes} first={firstLiker} />
        <Facts dog={dog} />
        {dog.description && (
          <figure className="note">
            <figcaption>Comentario de {author?.alias ?? 'Desconocido'}</figcaption>
            <p>{dog.description}</p>
          </figure>
        )}
        <People name={name} uploader={uploader} isDiscoverer={dog.discoverer_id !== null} owner={owner} />
      </div>
      <Comments comments={comments} count={dog.comments_count} />
    </article>
  )
}
