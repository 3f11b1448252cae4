export { followZoneByForm as POST } from '#features/follows/follows.http.ts'
