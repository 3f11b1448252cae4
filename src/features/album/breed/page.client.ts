import '#features/dogs/card/photo-stack-loader.client.ts'
import { enableShareButtons } from '#ui/share/share.client.ts'
import './load-more.client.ts'

// What a breed's page does, in one file: each of its own would cost a request.
enableShareButtons()
