export { putFollow as PUT, deleteFollow as DELETE, changeFollowByForm as POST } from '#features/follows/follows.http.ts'
