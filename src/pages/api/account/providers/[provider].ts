export { removeProvider as DELETE, removeProvider as POST } from '#features/account/providers.http.ts'
