import { ArrowLeft } from 'lucide-react'
import Link from 'next/link'
import { notFound, permanentRedirect } from 'next/navigation'
import { DogPage } from '../../../components/DogPage.jsx'
import { JoinBanner } from '../../../components/JoinBanner.jsx'
import { ShareButton } from '../../../components/ShareButton.jsx'
import { countProfiles, loadDog } from '../../../lib/dogs.js'
import { description, photoSrc, title } from '../../../lib/texts.js'

export const dynamic = 'force-dynamic'

export async function generateMetadata({ params }) {
  const { breed, dog: slug } = await params
  const dog = loadDog(breed, slug)?.dog
  if (!dog) return {}
  const images = [photoSrc(dog.photo_url)]
  return {
    title: title(dog),
    description: description(dog),
    alternates: { canonical: dog.path },
    openGraph: { type: 'article', title: title(dog), description: description(dog), url: dog.path, images },
    twitter: { card: 'summary_large_image' },
  }
}

export default async function Page({ params }) {
  const { breed, dog: slug } = await params
  const found = loadDog(breed, slug)
  if (!found) notFound()
  if (found.moved) permanentRedirect(found.moved)
  return (
    <>
      <header className="top">
        <Link className="btn ghost back" href="/">
          <ArrowLeft aria-hidden="true" />
          Volver
        </Link>
        <span className="space" />
        <ShareButton path={found.dog.path} />
      </header>
      <main className="page" id="contenido" tabIndex={-1}>
        <DogPage {...found} />
        <JoinBanner profiles={countProfiles()} />
      </main>
    </>
  )
}
