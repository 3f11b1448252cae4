import { inBackground } from '#lib/background.client.ts'
import { startShare } from '#ui/share.client.ts'
import { startLikers } from '#features/likes/likers.client.ts'
import { startEdited } from './edited.client.ts'
import { startGalleries } from './gallery.client.ts'

// What the parts of a dog's page do, in one file: each of its own would cost a request before the photo.
startGalleries()
startLikers()
startShare()
startEdited()
if (document.body.dataset.member) inBackground(import('#features/comments/heard.client.ts'))
