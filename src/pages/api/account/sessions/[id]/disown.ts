export { disownListed as POST } from '#features/auth/dispute/links.http.ts'
