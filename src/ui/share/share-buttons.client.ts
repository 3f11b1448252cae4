import { enableShareButtons } from './share.client.ts'

// For pages whose script is this alone.
enableShareButtons()
