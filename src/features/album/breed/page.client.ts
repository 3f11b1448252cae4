import '#features/dogs/stack-start.client.ts'
import { startShare } from '#ui/share.client.ts'
import './more.client.ts'

// What a breed's page does, in one file: each of its own would cost a request.
startShare()
