export { remove as DELETE, removeByForm as POST } from '#features/account/delete-account.http.ts'
