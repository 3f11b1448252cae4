import { startShare } from './share.client.ts'

// For pages whose script is this alone.
startShare()
