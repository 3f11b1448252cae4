/** A bucket of an S3-compatible service. */
export interface BucketSettings {
  /** The service's origin. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}
