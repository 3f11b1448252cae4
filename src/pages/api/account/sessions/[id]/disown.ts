export { disownListed as POST } from '#features/auth/new-device/disown.http.ts'
