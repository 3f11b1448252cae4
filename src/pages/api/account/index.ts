export { remove as DELETE, removeByForm as POST } from '#features/account/account.http.ts'
