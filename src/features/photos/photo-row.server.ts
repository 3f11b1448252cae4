import type { PreparedPhoto } from './ingest.server.ts'

/** The columns of a photo that is stored in a table, not as a file. Call it before the transaction: others wait for that. */
export const toPhotoRow = ({ data, width, height }: Pick<PreparedPhoto, 'data' | 'width' | 'height'>) => ({
  data: data.toString('base64'),
  width,
  height,
})
