import { inBackground } from '#lib/background.client.ts'
import '#ui/share.client.ts'
import { startLikers } from '#features/likes/likers.client.ts'
import { startGalleries } from './gallery.client.ts'

// All scripts of a dog's page in one file: separate ones would each cost a request before the photo.
startGalleries()
startLikers()
if (document.body.dataset.member) inBackground(import('./member.client.ts'))
