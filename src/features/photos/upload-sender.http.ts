import type { APIContext } from 'astro'
import { toSitePrefix } from '#lib/http/site-prefix.ts'
import { DAY_SECONDS } from '#lib/time.ts'
import type { HeldBody } from '#server/body/read-body.ts'
import { getEnv } from '#server/env.ts'
import { limitNetworkShare } from '#server/limits/network-share.ts'
import { limitAmount } from '#server/limits/rate-limit.ts'
import type { UploadSender } from './ingest.server.ts'
import { assertDiskRoom, spendStorage } from './storage-budget.server.ts'

const UPLOAD_QUOTA_ERROR = 'Hoy ya has subido muchísimas fotos. Mañana podrás subir más.'
const NETWORK_UPLOADS_ERROR = 'Hoy ya se han subido muchísimas fotos desde tu red. Mañana podrás subir más.'

/**
 * The sender that an upload counts for in the queue of photos and the daily quota: the member, or a visitor's network. The photos of both
 * also count towards their network's share of what the site stores in a day.
 */
export function uploadSenderOf(
  { locals, request }: Pick<APIContext, 'locals' | 'request'>,
  body: HeldBody,
): UploadSender {
  const { db, user, network } = locals
  const id = user?.id ?? network
  const env = getEnv()
  return {
    id,
    network: toSitePrefix(network),
    signal: AbortSignal.any([request.signal, body.signal]),
    onStart: body.start,
    admit: async (bytes) => {
      await assertDiskRoom(env.dataDir, env, bytes)
      if (env.uploadBytesPerDay > 0)
        await limitAmount('photo-bytes', id, bytes, env.uploadBytesPerDay, DAY_SECONDS, UPLOAD_QUOTA_ERROR)
      const { siteUploadBytesPerDay } = env
      await limitNetworkShare('photo-bytes-network', network, bytes, siteUploadBytesPerDay, NETWORK_UPLOADS_ERROR)
    },
    spend: (bytes) => spendStorage(db, env, { bytes, isVisitor: user === null }),
  }
}
