import { inBackground } from '#lib/background.client.ts'
import '#ui/share.client.ts'
import { startLikers } from '#features/likes/likers.client.ts'
import { reloadAfterEdit } from './reload-after-edit.client.ts'
import { startGalleries } from './gallery.client.ts'

// All scripts of a dog's page in one file: separate ones would each cost a request before the photo.
startGalleries()
startLikers()
reloadAfterEdit()
if (document.body.dataset.member) inBackground(import('#features/comments/live-comments.client.ts'))
