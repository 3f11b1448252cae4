import { inBackground } from '#lib/background.client.ts'
import { reloadAfterEdit } from './reload-after-edit.client.ts'

// A dog page's code for members; visitors do not load it.

reloadAfterEdit()
inBackground(import('#features/comments/live-comments.client.ts'))
