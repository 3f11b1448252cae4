export { disownMailed as POST } from '#features/auth/new-device/disown.http.ts'
