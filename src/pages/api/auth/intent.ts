export { keepIntent as POST } from '#features/auth/flash.http.ts'
