export { remove as DELETE, remove as POST } from '#features/account/providers.http.ts'
